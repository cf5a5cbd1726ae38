import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  closeCompliance,
  confirmCompliance,
  makeFreeze,
  type NewFreeze,
  proposeLift,
  readCases,
  readFreeze,
} from '../../src/compliance/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { listRequest } from '../../src/platform/lists/list.ts';
import { confirmForPayment } from '../../src/suspense/index.ts';
import { codeOf, createSuspenseFixture, type SuspenseFixture } from '../collections/suspense-fixture.ts';
import { brokenIn, verifyAfter } from '../ledger/corruption.ts';
import { brokenChecks } from '../support/proof.ts';
import type { CHECKS_OF_COMPLIANCE } from './checks.ts';

let fixture: SuspenseFixture;
type Payee = Awaited<ReturnType<SuspenseFixture['payee']>>;

beforeAll(async () => {
  fixture = await createSuspenseFixture();
});
afterAll(async () => {
  expect((await brokenChecks(fixture.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await fixture.close();
});

const TERMS = {
  mode: 'LIVE',
  reason: 'A bank reported a fraud',
  legalBasis: 'Order FHC/L/CS/41/2026',
  owner: 'Compliance desk',
  endsAt: null,
} as const;

/** Ada freezes; nothing passes from here on. */
async function freeze(given: Partial<NewFreeze> & Pick<NewFreeze, 'subject'>): Promise<string> {
  const { deps, people, clock } = fixture;
  const { id } = await makeFreeze(deps, { ...TERMS, personId: people.ada, ...given });
  clock.advance(6_000);
  return id;
}

async function lift(freezeId: string): Promise<void> {
  const { deps, people } = fixture;
  const proposed = await proposeLift(deps, { freezeId, note: 'The court lifted its order', personId: people.ada });
  await confirmCompliance(deps, { ...proposed, personId: people.bola });
}

let payers = 3_000_000_000;
function payerNumber(): string {
  payers += 1;
  return String(payers);
}

async function pay(payee: Payee, credit: object = {}) {
  const hint = fixture.script.receive({ accountNumber: payee.accountNumber, amountMinor: 70_00n, ...credit });
  const [taken] = await fixture.takeWebhook(hint);
  return { taken, hint };
}

const casesOf = async ({ merchantId }: Payee) =>
  (
    await fixture.database.pool.query(
      'select subject_type, subject_id, reason, cause, status from compliance_cases where merchant_id = $1 order by id',
      [merchantId],
    )
  ).rows;

describe('a credit', () => {
  it.each([
    ['from a frozen account', 'ACCOUNT', (n: string) => ({ bankCode: '058', accountNumber: n })],
    ['from a frozen payer, whose names come in another order', 'PAYER', () => ({ payerName: 'Okafor Chidi' })],
    ['from a frozen payer with the account', 'PAYER', (n: string) => ({ payerName: 'Chidi Okafor', accountNumber: n })],
  ] as const)('%s is held with its case, and no sign of why is shown to the merchant', async (_, subject, named) => {
    const payee = await fixture.payee();
    const payerAccountNumber = payerNumber();
    const freezeId = await freeze({ subject, ...named(payerAccountNumber) });
    const { taken } = await pay(payee, { payerAccountNumber });
    expect(taken).toBe('HELD');
    const [payment] = await fixture.paymentsOf(payee);
    expect(payment).toMatchObject({ status: 'SUSPENSE', reason: 'UNDER_REVIEW' });
    expect(await payee.balance()).toBe(0n);
    expect(await casesOf(payee)).toEqual([
      { subject_type: 'PAYMENT', subject_id: payment?.paymentId, reason: 'FROZEN', cause: freezeId, status: 'OPEN' },
    ]);
    const { merchantId } = payee;
    const found = [{ freezeId }, { merchantId, mode: 'LIVE', subjectId: payment?.paymentId }] as const;
    for (const filter of [...found, { freezeId: newId() }, { merchantId, mode: 'LIVE', subjectId: newId() }] as const) {
      const { rows } = await readCases(fixture.database, filter, listRequest({}));
      expect(rows.length, JSON.stringify(filter)).toBe(found.includes(filter) ? 1 : 0);
    }
    await lift(freezeId);
    expect((await pay(payee, { payerAccountNumber })).taken).toBe('CREDITED');
  });

  it('of a frozen merchant, or with a frozen reference, is held, and any other is credited', async () => {
    const [frozen, other] = [await fixture.payee(), await fixture.payee()];
    const freezes = [
      await freeze({ subject: 'MERCHANT', merchantId: frozen.merchantId }),
      await freeze({ subject: 'REFERENCE', reference: '000013251120101500000000000777' }),
    ];
    expect((await pay(frozen)).taken).toBe('HELD');
    expect((await pay(other, { sessionId: '000013251120101500000000000777' })).taken).toBe('HELD');
    expect((await pay(other)).taken).toBe('CREDITED');
    for (const id of freezes) await lift(id);
  });

  it('to a frozen account number of our own is held, and one to another number is credited', async () => {
    const [frozen, other] = [await fixture.payee(), await fixture.payee()];
    const freezeId = await freeze({ subject: 'ACCOUNT', bankCode: '058', accountNumber: frozen.accountNumber });
    expect([(await pay(frozen)).taken, (await pay(other)).taken]).toEqual(['HELD', 'CREDITED']);
    await lift(freezeId);
  });

  it('from another account than the frozen payer’s is credited, whatever the name', async () => {
    const payee = await fixture.payee();
    const named = { payerName: 'Chidi Okafor', accountNumber: payerNumber() };
    const freezeId = await freeze({ subject: 'PAYER', ...named });
    expect((await pay(payee, { payerAccountNumber: payerNumber() })).taken).toBe('CREDITED');
    expect((await pay(payee, { payerAccountNumber: named.accountNumber })).taken).toBe('HELD');
    await lift(freezeId);
  });

  it('is credited whatever is frozen in the other mode', async () => {
    const payee = await fixture.payee();
    const [payerAccountNumber, sessionId] = [payerNumber(), '000013251120101500000000000778'];
    const freezes = [
      await freeze({ mode: 'SANDBOX', subject: 'MERCHANT', merchantId: payee.merchantId }),
      await freeze({ mode: 'SANDBOX', subject: 'ACCOUNT', bankCode: '058', accountNumber: payerAccountNumber }),
      await freeze({ mode: 'SANDBOX', subject: 'REFERENCE', reference: sessionId }),
      await freeze({ mode: 'SANDBOX', subject: 'PAYER', payerName: 'Chidi Okafor' }),
    ];
    expect((await pay(payee, { payerAccountNumber, sessionId })).taken).toBe('CREDITED');
    for (const id of freezes) await lift(id);
  });

  it.each(['provider_transaction_id', 'provider_reference', 'session_id'])(
    'that waits in suspense stays there while its %s is frozen',
    async (column) => {
      const held = await fixture.heldPayment();
      const { rows } = await fixture.database.pool.query(
        `select ${column} as reference from inbound_payments where merchant_id = $1 and id = $2`,
        [held.merchantId, held.paymentId],
      );
      expect(rows[0].reference).toEqual(expect.any(String));
      const freezeId = await freeze({ subject: 'REFERENCE', reference: rows[0].reference });
      expect(await codeOf(fixture.decidePayment(held, { action: 'RETURN' }))).toBe('PAYMENT_FROZEN');
      await lift(freezeId);
    },
  );

  it('leaves suspense by nobody’s decision while the freeze is in force, and its case ends with it', async () => {
    const payee = await fixture.payee();
    const payerAccountNumber = payerNumber();
    const freezeId = await freeze({ subject: 'ACCOUNT', bankCode: '058', accountNumber: payerAccountNumber });
    await pay(payee, { payerAccountNumber });
    const [held] = await fixture.paymentsOf(payee);
    const decision = { tenant: payee.tenant, paymentId: held?.paymentId ?? '' };
    expect(await codeOf(fixture.decidePayment(decision, { action: 'RETURN' }))).toBe('PAYMENT_FROZEN');
    await lift(freezeId);
    const { rows } = await fixture.database.pool.query(
      `select id, digest from suspense_proposals where payment_id = $1 and status = 'PENDING'`,
      [decision.paymentId],
    );
    const shown = { tenant: payee.tenant, proposalId: rows[0].id, digest: rows[0].digest };
    await confirmForPayment(fixture.deps, { ...shown, personId: fixture.people.bola });
    expect(await casesOf(payee)).toMatchObject([{ status: 'REFUSED' }]);
    const { trail } = await readFreeze(fixture.deps, freezeId);
    expect(trail.map(({ what }) => what)).toEqual([
      'FROZEN',
      'PAYMENT_HELD',
      'LIFT_PROPOSED',
      'LIFT_CONFIRMED',
      'PAYMENT_REFUSED',
    ]);
  });

  it('that was held by a freeze which is over has its case released where it is attributed, and refused where it is kept', async () => {
    const payee = await fixture.payee();
    const payerAccountNumber = payerNumber();
    const freezeId = await freeze({ subject: 'ACCOUNT', bankCode: '058', accountNumber: payerAccountNumber });
    const credits = [await pay(payee, { payerAccountNumber }), await pay(payee, { payerAccountNumber })];
    expect(credits).toMatchObject([{ taken: 'HELD' }, { taken: 'HELD' }]);
    await lift(freezeId);
    const ends: Record<string, string> = {};
    for (const action of ['ATTRIBUTE', 'KEEP'] as const) {
      const held = (await fixture.paymentsOf(payee)).find(({ status }) => status === 'SUSPENSE');
      await fixture.decidePayment({ tenant: payee.tenant, paymentId: held?.paymentId ?? '' }, { action });
      const one = (await casesOf(payee)).find(({ subject_id }) => subject_id === held?.paymentId);
      ends[action] = one?.status;
    }
    expect(ends).toEqual({ ATTRIBUTE: 'RELEASED', KEEP: 'REFUSED' });
  });

  it('that comes twenty times at once under a freeze is held once, with one case', async () => {
    const payee = await fixture.payee();
    const payerAccountNumber = payerNumber();
    const freezeId = await freeze({ subject: 'ACCOUNT', bankCode: '058', accountNumber: payerAccountNumber });
    const hint = fixture.script.receive({
      accountNumber: payee.accountNumber,
      amountMinor: 90_00n,
      payerAccountNumber,
    });
    const others = Array.from({ length: 19 }, () =>
      fixture.script.receive({ accountNumber: payee.accountNumber, amountMinor: 10_00n, payerAccountNumber }),
    );
    await Promise.all([...Array.from({ length: 20 }, () => hint), ...others].map((one) => fixture.takeWebhook(one)));
    expect(await casesOf(payee)).toHaveLength(20);
    expect(await payee.balance()).toBe(0n);
    await lift(freezeId);
  });
});

describe('a freeze', () => {
  it('is lifted by two people, once, and by what was proposed', async () => {
    const { deps, people } = fixture;
    const freezeId = await freeze({ subject: 'REFERENCE', reference: 'never seen' });
    const proposed = await proposeLift(deps, { freezeId, note: 'The court lifted its order', personId: people.ada });
    const confirm = (personId: string, digest = proposed.digest) =>
      codeOf(confirmCompliance(deps, { ...proposed, digest, personId }));
    expect(await confirm(people.ada)).toBe('SECOND_PERSON_NEEDED');
    expect(await confirm(people.bola, '0'.repeat(64))).toBe('COMPLIANCE_PROPOSAL_ALTERED');
    const again = { freezeId, note: 'The court lifted its order', personId: people.chidi };
    expect(await codeOf(proposeLift(deps, again))).toBe('COMPLIANCE_ALREADY_PROPOSED');
    const both = await Promise.all([confirm(people.bola), confirm(people.chidi)]);
    expect(both.sort()).toEqual(['COMPLIANCE_PROPOSAL_DECIDED', 'DONE']);
    expect(await codeOf(proposeLift(deps, again))).toBe('FREEZE_OVER');
  });

  it('stays where its lifting is rejected, by another than its maker, or withdrawn, by nobody else', async () => {
    const { deps, people } = fixture;
    const freezeId = await freeze({ subject: 'REFERENCE', reference: 'never seen either' });
    const propose = () => proposeLift(deps, { freezeId, note: 'The court lifted its order', personId: people.ada });
    const close = ({ proposalId }: { proposalId: string }, status: 'REJECTED' | 'WITHDRAWN', personId: string) =>
      codeOf(closeCompliance(deps, { proposalId, status, reason: 'The order is in force', personId }));
    const rejected = await propose();
    expect(await close(rejected, 'REJECTED', people.ada)).toBe('SECOND_PERSON_NEEDED');
    expect(await close(rejected, 'WITHDRAWN', people.bola)).toBe('NOT_THE_MAKER');
    expect(await close(rejected, 'REJECTED', people.bola)).toBe('DONE');
    const confirm = codeOf(confirmCompliance(deps, { ...rejected, personId: people.chidi }));
    expect(await confirm).toBe('COMPLIANCE_PROPOSAL_DECIDED');
    expect(await close(await propose(), 'WITHDRAWN', people.ada)).toBe('DONE');
    expect((await readFreeze(deps, freezeId)).freeze.lifted_at).toBeNull();
    await lift(freezeId);
  });

  it('ends by its time, and one that is ahead holds nothing yet', async () => {
    const { clock } = fixture;
    const payee = await fixture.payee();
    const now = clock.now().getTime();
    const at = (minutes: number) => new Date(now + minutes * 60_000);
    await freeze({ subject: 'MERCHANT', merchantId: payee.merchantId, startsAt: at(10), endsAt: at(20) });
    expect((await pay(payee)).taken).toBe('CREDITED');
    clock.advance(11 * 60_000);
    expect((await pay(payee)).taken).toBe('HELD');
    clock.advance(10 * 60_000);
    expect((await pay(payee)).taken).toBe('CREDITED');
  });

  it('names what it is of, and nothing else', async () => {
    const refused = (given: Parameters<typeof freeze>[0]) => codeOf(freeze(given));
    expect(await refused({ subject: 'ACCOUNT', accountNumber: '0123456785' })).toBe('VALIDATION_FAILED');
    expect(await refused({ subject: 'ACCOUNT', bankCode: '999999', accountNumber: '0123456785' })).toBe(
      'VALIDATION_FAILED',
    );
    expect(await refused({ subject: 'MERCHANT' })).toBe('VALIDATION_FAILED');
    expect(await refused({ subject: 'REFERENCE', reference: 'x1', payerName: 'Chidi' })).toBe('VALIDATION_FAILED');
    expect(await refused({ subject: 'PAYER', payerName: 'Chidi', endsAt: new Date(0) })).toBe('VALIDATION_FAILED');
  });
});

const CASE = `(select id from compliance_cases where status = 'OPEN' limit 1)`;
const WRONG: readonly { what: string; sql: string; broken: (typeof CHECKS_OF_COMPLIANCE)[number] }[] = [
  {
    what: 'a payment that was credited under a freeze',
    sql: `insert into freezes select gen_random_uuid(), mode, 'MERCHANT', null, null, null, null, null, merchant_id, 'r', 'l', 'o',
            confirmed_at - interval '1 hour', confirmed_at - interval '1 hour', null, gen_random_uuid(), confirmed_at, null, null, ''
            from inbound_payments where status = 'CREDITED' limit 1`,
    broken: 'freezes-let-nothing-through',
  },
  {
    what: 'a held payment without its case',
    sql: `delete from compliance_cases where id = ${CASE}`,
    broken: 'what-is-held-has-its-case',
  },
  {
    what: 'a case that was altered',
    sql: `update compliance_cases set facts = '{}' where id = ${CASE}`,
    broken: 'what-is-held-has-its-case',
  },
  {
    what: 'a freeze that was altered',
    sql: `update freezes set reason = 'another' where id = (select id from freezes limit 1)`,
    broken: 'freezes-are-lifted-by-two',
  },
  {
    what: 'a freeze that one person lifted',
    sql: `update compliance_proposals set decided_by = proposed_by where status = 'CONFIRMED'`,
    broken: 'freezes-are-lifted-by-two',
  },
];

describe('the proof', () => {
  it.each(WRONG)('finds $what', async ({ sql, broken }) => {
    expect(brokenIn(await verifyAfter(fixture.database, [sql]))).toContain(broken);
  });
});
