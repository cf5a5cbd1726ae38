import { nubanCheckDigit } from '../../src/banks/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { type CreditKey, createSandboxRail, type ProviderWebhookRequest } from '../../src/rails/index.ts';
import { type CreditRow, findSandboxCredit } from '../../src/rails/sandbox/queries.ts';
import { signCreditWebhook, signedRequest } from '../../src/rails/sandbox/webhooks.ts';
import { openTestDatabase } from '../support/database.ts';
import { newTenant, SECRET } from './sandbox-support.ts';
import type { CreditStatus, WalletHarness } from './wallet-harness.ts';

/** As the service says it: a bank at which wallets have numbers. */
export const WALLET_BANK = { code: '035', name: 'Wema Bank', checkDigit: nubanCheckDigit };

const STATUSES: Readonly<Record<CreditStatus, string>> = {
  confirmed: 'SUCCESS',
  pending: 'PENDING',
  failed: 'FAILED',
  reversed: 'REVERSED',
  unlisted: 'GONE_FISHING',
  unpaid: 'PENDING',
};

const setStatus = statement(
  'test-set-sandbox-credit-status',
  `update sandbox_credits set scenario = 'paid', status = $2 where id = $1`,
);
const setFacts = statement(
  'test-set-sandbox-credit-facts',
  'update sandbox_credits set currency = $2, paid_at = $3, status = $4 where id = $1',
);
/** The scenario's first query finds nothing: so many more did not count. */
const setHidden = statement(
  'test-hide-sandbox-credit',
  `update sandbox_credits set scenario = 'not_found_first', queries = 1 - $2::integer, counted_from = $3 where id = $1`,
);

/** The sandbox with books of its own, for the suite of every wallet provider. */
export async function makeSandboxWalletHarness(): Promise<WalletHarness> {
  const { database, drop } = await openTestDatabase();
  // So that the bank can say what no table lists.
  await database.pool.query('alter table sandbox_credits drop constraint sandbox_credits_status');
  const tenant = newTenant();
  const clock = systemClock;
  const providerWebhooks = { secret: SECRET, deliver: async () => undefined };
  const rail = createSandboxRail({ database, clock, providerWebhooks, walletBank: WALLET_BANK });
  const { wallets } = rail;
  if (wallets === undefined) throw new Error('the sandbox has a bank for wallets');
  const rows = new Map<string, CreditRow>();
  const opened = new Set<string>();
  let hiding: Promise<unknown> = Promise.resolve();

  const rowOf = ({ providerTransactionId }: CreditKey): CreditRow => {
    const row = rows.get(providerTransactionId ?? '');
    if (row === undefined) throw new Error(`no credit ${providerTransactionId}`);
    return row;
  };
  const webhook: WalletHarness['webhook'] = (key, { amountMinor = rowOf(key).amount_minor } = {}) =>
    signCreditWebhook(SECRET, { ...rowOf(key), amount_minor: amountMinor }, PLANNED, clock.now());
  return {
    rail: {
      ...rail,
      wallets: {
        ...wallets,
        openAccount(request, signal) {
          opened.add(request.reference);
          return wallets.openAccount(request, signal);
        },
        async queryCredit(key, signal) {
          await hiding;
          return wallets.queryCredit(key, signal);
        },
      },
    },
    tenant,
    // The sandbox has no book of accounts: a number follows from the reference, so there is never another.
    accountsOpened: async (reference) => (opened.has(reference) ? 1 : 0),
    answerNextOpening: (how) => {
      throw new Error(`the sandbox opens every account, and none is ${how}`);
    },
    async deposit({ accountNumber, amountMinor, status = 'confirmed', currency = 'NGN', at, ...facts }) {
      const payer = { name: facts.payerName, accountNumber: facts.payerAccountNumber, bankName: facts.payerBankName };
      const narration = facts.narration ?? 'NIP: RHODA CHURCH';
      const [made] = await rail.receiveCredit({ tenant, accountNumber, amountMinor, payer, narration });
      if (made === undefined) throw new Error('one credit was made');
      await database.query(setFacts, [made.id, currency, at ?? made.paid_at, STATUSES[status]]);
      const [row] = await database.query(findSandboxCredit, [tenant.merchantId, tenant.mode, made.id]);
      if (row !== undefined) rows.set(row.id, row);
      return { providerTransactionId: made.id, providerReference: null, sessionId: made.session_id };
    },
    setStatus: async (key, status) => void (await database.query(setStatus, [rowOf(key).id, STATUSES[status]])),
    hide(key, queries) {
      hiding = database.query(setHidden, [rowOf(key).id, queries, clock.now()]);
    },
    webhook,
    forgedWebhooks: (key) => forged(webhook(key), rowOf(key)),
    otherWebhook: () => signedRequest(SECRET, { id: '1', railReference: 'a'.repeat(32) }, clock.now()),
    close: drop,
  };
}

const PLANNED = { seconds: 0, status: 'SUCCESS' } as const;

function forged({ headers, rawBody }: ProviderWebhookRequest, row: CreditRow): ProviderWebhookRequest[] {
  const longAgo = new Date(systemClock.now().getTime() - 301_000);
  return [
    signCreditWebhook(SECRET, row, { ...PLANNED, forged: true }, systemClock.now()),
    signCreditWebhook(SECRET, row, PLANNED, longAgo),
    { headers: {}, rawBody },
    { headers, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) },
    { headers, rawBody: Buffer.from(rawBody.toString().replace('"amountMinor":"', '"amountMinor":"9')) },
  ];
}
