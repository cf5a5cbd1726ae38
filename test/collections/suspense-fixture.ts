import { readInboundPayments } from '../../src/collections/views.ts';
import { changeMerchantStatus } from '../../src/merchants/index.ts';
import { AppError } from '../../src/platform/errors.ts';
import type { CreditHint } from '../../src/rails/index.ts';
import { confirmForCredit, confirmForPayment, proposeForCredit, proposeForPayment } from '../../src/suspense/index.ts';
import { openDueAccounts } from '../../src/virtual-accounts/index.ts';
import { readWalletAccounts } from '../../src/virtual-accounts/read-accounts.ts';
import { addPerson } from '../support/people.ts';
import { createCollectionFixture } from './fixture.ts';

/** Those of the proof that are broken in `suspense-proof.test.ts`. */
export const CHECKS_OF_SUSPENSE = [
  'suspense-ends-as-two-people-decided',
  'suspense-is-decided-by-two',
  'credits-without-an-owner-end-as-decided',
  'suspense-is-what-waits',
  'receivables-are-what-providers-owe',
] as const;

const SUSPENSE_NOTE = 'The bank’s letter of 20 November, reference 41';

/** The code of what refused it, or DONE. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'DONE';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** Money that waits for two people, and three people of the operator. */
export async function createSuspenseFixture() {
  const fixture = await createCollectionFixture();
  const { base, database, clock, deps } = fixture;
  const person = async (name: string) => {
    const email = `${name}@manilla.example`;
    return addPerson(base, { kind: 'OPERATOR', email });
  };
  const people = { ada: await person('ada'), bola: await person('bola'), chidi: await person('chidi') };
  const status = async (merchantId: string, step: 'suspend' | 'reinstate') => {
    await changeMerchantStatus({ queries: database, clock }, step, {
      merchantId,
      actor: 'test',
      reason: 'Looked into',
    });
    // Suspensions are looked up every so often.
    clock.advance(5_000);
  };

  async function payee() {
    const merchant = await fixture.addMerchant();
    await openDueAccounts(deps, 'LIVE');
    const { accounts } = await readWalletAccounts(deps, merchant.tenant, merchant.wallet.id);
    const [account] = accounts;
    if (account === undefined) throw new Error('no account was opened');
    return { ...merchant, accountNumber: account.accountNumber };
  }
  type Payee = Awaited<ReturnType<typeof payee>>;

  async function paymentsOf({ tenant }: Pick<Payee, 'tenant'>) {
    return (await readInboundPayments({ database, clock }, tenant, {}, { page: 1, size: 50 })).records;
  }

  /** A payment in suspense of a merchant that was suspended when it came, and is reinstated. */
  async function heldPayment({ amountMinor = 40_00n, isReinstated = true } = {}) {
    const merchant = await payee();
    await status(merchant.merchantId, 'suspend');
    const hint = fixture.script.receive({ accountNumber: merchant.accountNumber, amountMinor });
    await fixture.takeWebhook(hint);
    if (isReinstated) await status(merchant.merchantId, 'reinstate');
    const [payment] = await paymentsOf(merchant);
    if (payment === undefined || payment.status !== 'SUSPENSE') throw new Error('the payment was not held');
    return { ...merchant, paymentId: payment.paymentId, hint };
  }

  /** A confirmed credit to a number that is nobody's. */
  async function ownerlessCredit({
    amountMinor = 30_00n,
    ...credit
  }: {
    amountMinor?: bigint;
    sessionId?: string;
  } = {}) {
    const hint = fixture.script.receive({ accountNumber: '1234567890', amountMinor, ...credit });
    await fixture.takeWebhook(hint);
    return { hint, ...keyOf(hint) };
  }

  const terms = { source: 'BANK_LETTER', note: SUSPENSE_NOTE, personId: people.ada } as const;

  return {
    ...fixture,
    people,
    terms,
    status,
    payee,
    paymentsOf,
    heldPayment,
    ownerlessCredit,
    /** Ada proposes, Bola confirms. */
    async decidePayment(
      held: { tenant: Payee['tenant']; paymentId: string },
      proposal: Pick<Parameters<typeof proposeForPayment>[1], 'action' | 'walletId' | 'accountNumber'>,
    ) {
      const { tenant, paymentId } = held;
      const shown = await proposeForPayment(deps, { ...terms, ...proposal, tenant, paymentId });
      return confirmForPayment(deps, { tenant, ...shown, personId: people.bola });
    },
    async decideCredit(
      credit: { rail: string; creditKey: string },
      proposal: Pick<Parameters<typeof proposeForCredit>[1], 'action' | 'accountNumber'>,
    ) {
      const { rail, creditKey } = credit;
      const shown = await proposeForCredit(deps, { ...terms, ...proposal, rail, creditKey });
      return confirmForCredit(deps, { ...shown, personId: people.bola });
    },
    async openCredit({ rail, creditKey }: { rail: string; creditKey: string }) {
      const found = 'select * from open_credits where rail = $1 and credit_key = $2';
      return (await database.pool.query(found, [rail, creditKey])).rows[0];
    },
    async eventsOf({ tenant }: Pick<Payee, 'tenant'>, subjectId: string): Promise<string[]> {
      const { rows } = await database.pool.query(
        'select type from events where merchant_id = $1 and mode = $2 and subject_id = $3 order by sequence',
        [tenant.merchantId, tenant.mode, subjectId],
      );
      return rows.map(({ type }) => type);
    },
  };
}

export type SuspenseFixture = Awaited<ReturnType<typeof createSuspenseFixture>>;

/** Under what a hint is kept. */
export function keyOf({ providerTransactionId }: CreditHint) {
  return { rail: 'scripted-bank', creditKey: `id:${providerTransactionId}` };
}
