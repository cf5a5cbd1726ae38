import { providerWebhookMalformed } from '../errors.ts';
import { type BankNumbering, readListed } from '../provider-answers.ts';
import { PAGE_CHANNELS, pageOf } from '../wallet-answers.ts';
import type { CreditListRequest, CreditPage, WalletProvider } from '../wallet-provider.ts';
import { type PaystackContext, readPage } from './answers.ts';
import { hintOf, hintOfRejected, queryCredit } from './credits.ts';
import { closeAccount, openAccount } from './dedicated-accounts.ts';
import { createPaystackDisputes } from './disputes.ts';
import { ONE_TIME_TERMS, openOneTimeAccount, openPage } from './payments.ts';
import { createPaystackRefunds } from './refunds.ts';
import { createPaystackSettlements } from './settlements.ts';
import { readSignedEvent } from './webhooks.ts';

/**
 * Account numbers at Paystack: dedicated virtual accounts, one for each reference, accounts for one payment, pages of its
 * own, and the transactions that all of them make. Sources are with each table. Dashboard: dedicated virtual accounts and
 * transfers are enabled by Paystack's support for registered businesses; the webhook address is the one of the payouts.
 */
export function createPaystackWallets(context: PaystackContext & { banks: BankNumbering }): WalletProvider {
  return {
    capabilities: {
      needs: ['NAME', 'EMAIL', 'PHONE'],
      takesNin: false,
      closesAccounts: true,
      severalBanks: false,
      queriesBySessionId: false,
      oneTimeAccount: ONE_TIME_TERMS,
      hostedPage: { channels: PAGE_CHANNELS },
    },
    settlements: createPaystackSettlements(context),
    openAccount: (request, signal) => openAccount(context, request, signal),
    closeAccount: (request, signal) => closeAccount(context, request, signal),
    openOneTimeAccount: (request, signal) => openOneTimeAccount(context, request, signal),
    openPage: (request, signal) => openPage(context, request, signal),
    queryCredit: (key, signal) => queryCredit(context, key, signal),
    listCredits: (request, signal) => listCredits(context, request, signal),
    refunds: createPaystackRefunds(context),
    async readCreditWebhook(request) {
      const { event, data } = readSignedEvent(context.secretKey, request);
      if (event !== 'charge.success' && event !== 'bank.transfer.rejected') return [];
      const hint = event === 'charge.success' ? hintOf(data) : hintOfRejected(data);
      if (hint === undefined) throw providerWebhookMalformed();
      return [hint];
    },
    disputes: createPaystackDisputes(context),
  };
}

/**
 * GET /transaction (its page as in https://github.com/PaystackOSS/doc-code-snippets), newest first: a credit that comes while pages are
 * read moves others to the next page, so one may be listed twice, and none is left out.
 */
async function listCredits(
  context: PaystackContext,
  { from, to, cursor }: CreditListRequest,
  signal: AbortSignal,
): Promise<CreditPage> {
  const query = { status: 'success', from: from.toISOString(), to: to.toISOString() };
  const { rows, next } = await readPage(context, { path: '/transaction', query, page: pageOf(cursor) }, signal);
  const { read: credits, unreadable } = readListed(rows, hintOf);
  return { credits, unreadable, next };
}
