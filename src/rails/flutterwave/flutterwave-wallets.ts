import { HOUR_MS } from '../../platform/clock.ts';
import { providerWebhookMalformed } from '../errors.ts';
import { UnusableAnswerError } from '../port.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';
import { creditPage, instantOf, isLastOf, PAGE_CHANNELS, pageOf } from '../wallet-answers.ts';
import type { CreditListRequest, CreditPage, WalletProvider } from '../wallet-provider.ts';
import { hintOf, queryCredit } from './credits.ts';
import { createFlutterwaveDisputes } from './disputes.ts';
import { ONE_TIME_TERMS, openOneTimeAccount, openPage } from './payments.ts';
import { createFlutterwaveRefunds } from './refunds.ts';
import { createFlutterwaveSettlements } from './settlements.ts';
import { dataOf, whyUnknown } from './transfers.ts';
import { closeAccount, type FlutterwaveContext, openAccount } from './virtual-accounts.ts';
import { readWebhookEvent } from './webhooks.ts';

/**
 * Account numbers at Flutterwave, version 3: static virtual accounts, accounts for one payment, pages of its own, and the
 * transactions that all of them make. Sources are with each table. Dashboard: the webhook address and secret hash are those of the payouts; other than
 * Nigerian businesses have virtual accounts enabled first.
 */
export function createFlutterwaveWallets(context: FlutterwaveContext & { secretHash: string }): WalletProvider {
  return {
    capabilities: {
      needs: ['BVN', 'NAME', 'EMAIL', 'PHONE'],
      takesNin: false,
      closesAccounts: true,
      severalBanks: false,
      queriesBySessionId: false,
      oneTimeAccount: ONE_TIME_TERMS,
      hostedPage: { channels: PAGE_CHANNELS },
    },
    settlements: createFlutterwaveSettlements(context),
    openAccount: (request, signal) => openAccount(context, request, signal),
    closeAccount: (request, signal) => closeAccount(context, request, signal),
    openOneTimeAccount: (request, signal) => openOneTimeAccount(context, request, signal),
    openPage: (request, signal) => openPage(context, request, signal),
    queryCredit: (key, signal) => queryCredit(context, key, signal),
    listCredits: (request, signal) => listCredits(context, request, signal),
    refunds: createFlutterwaveRefunds(context),
    async readCreditWebhook(request) {
      const { body } = readWebhookEvent(context.secretHash, request);
      if (textOf(body['event']) !== 'charge.completed') return [];
      const hint = hintOf(body['data']);
      if (hint === undefined) throw providerWebhookMalformed();
      return [hint];
    },
    disputes: createFlutterwaveDisputes(context),
  };
}

/**
 * GET /v3/transactions (https://github.com/Flutterwave/Node-v3/blob/master/documentation/transactions.md). Its window is in
 * days, and nothing says in which time zone they are or whether the last one is included: a day more is asked for, and what
 * was certainly noted outside of the window is left out here.
 */
async function listCredits(
  { http }: FlutterwaveContext,
  { from, to, cursor }: CreditListRequest,
  signal: AbortSignal,
): Promise<CreditPage> {
  const page = pageOf(cursor);
  // Lagos is an hour ahead of UTC: its day has begun when that of UTC has not.
  const query = { from: dayOf(from), to: dayOf(new Date(to.getTime() + 25 * HOUR_MS)), page: String(page) };
  const answer = await http.request({ method: 'GET', path: '/v3/transactions', query, signal });
  const lines = dataOf(answer);
  if (!Array.isArray(lines)) throw new UnusableAnswerError(whyUnknown(answer), `HTTP_${answer.status}`);
  const pageInfo = fieldsOf(fieldsOf(fieldsOf(answer.body)?.['meta'])?.['page_info']);
  const isLast = isLastOf(page, pageInfo?.['total_pages']);
  const listed = lines.filter((line) => isCreditOf({ from, to }, line));
  return creditPage({ page, lines, isLast }, listed, hintOf);
}

/** False only where the line itself shows that it is none, or none of the window. */
function isCreditOf({ from, to }: Pick<CreditListRequest, 'from' | 'to'>, line: unknown): boolean {
  const fields = fieldsOf(line);
  const notedAt = instantOf(fields?.['created_at']);
  const isOutside = notedAt !== null && (notedAt < from || notedAt >= to);
  return ['successful', ''].includes(textOf(fields?.['status'])) && !isOutside;
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
