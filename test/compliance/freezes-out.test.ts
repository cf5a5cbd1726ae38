import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  confirmCompliance,
  endCasesOver,
  makeFreeze,
  type NewFreeze,
  proposeLift,
  proposeRelease,
} from '../../src/compliance/index.ts';
import type { Container } from '../../src/container.ts';
import { confirmOutcome, proposeOutcome } from '../../src/outcomes/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import {
  createPayoutFixture,
  executed,
  items,
  type Merchant,
  type PayoutFixture,
  PIN,
  payment,
  untilQuiet,
} from '../payouts/payout-fixture.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';

let fixture: PayoutFixture;
let deps: Container;
let ada: string;
let bola: string;

beforeAll(async () => {
  fixture = await createPayoutFixture();
  deps = fixture.deps as Container;
  ada = await addPerson(fixture, { kind: 'OPERATOR', email: 'ada@manilla.example' });
  bola = await addPerson(fixture, { kind: 'OPERATOR', email: 'bola@manilla.example' });
});
afterAll(async () => {
  expect((await brokenChecks(fixture.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await fixture.close();
});

const TERMS = {
  mode: 'SANDBOX',
  reason: 'A bank reported a fraud',
  legalBasis: 'Order FHC/L/CS/41/2026',
  owner: 'Compliance desk',
  endsAt: null,
} as const;

const freezeBy = (on: Container, given: Partial<NewFreeze> & Pick<NewFreeze, 'subject'>) =>
  makeFreeze(on, { ...TERMS, personId: ada, ...given });

async function lift(freezeId: string): Promise<void> {
  const proposed = await proposeLift(deps, { freezeId, note: 'The court lifted its order', personId: ada });
  await confirmCompliance(deps, { ...proposed, personId: bola });
  await endCasesOver(deps);
}

let accounts = 2_000_000_000;
function payee(): string {
  accounts += 1;
  return String(accounts);
}

async function pay(merchant: Merchant, accountNumber: string): Promise<string> {
  const reply = await merchant.call('POST', '/payout/single', payment({ accountNumber }));
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data.transactionId;
}

async function stateOf(id: string) {
  const { pool } = fixture.database;
  const { rows } = await pool.query(
    `select t.status, p.operator_reason
       from payouts p join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
      where p.id = $1`,
    [id],
  );
  const cases = await pool.query('select reason, status from compliance_cases where subject_id = $1 order by id', [id]);
  const found = cases.rows.map(({ reason, status }) => [reason, status]);
  return { ...rows[0], cases: found.length === 0 ? null : found };
}

const HELD = { status: 'QUEUED', operator_reason: 'UNDER_REVIEW', cases: [['FROZEN', 'OPEN']] };

describe('a payout', () => {
  it.each(['ACCOUNT', 'MERCHANT'] as const)(
    'is refused under a freeze of %s, holds nothing, and learns nothing',
    async (subject) => {
      const merchant = await fixture.addMerchant();
      const accountNumber = payee();
      const named = subject === 'MERCHANT' ? { merchantId: merchant.merchantId } : { bankCode: '058', accountNumber };
      const { id } = await freezeBy(deps, { subject, ...named });
      const before = await merchant.balance();
      const reply = await merchant.call('POST', '/payout/single', payment({ accountNumber }));
      expect([reply.status, reply.body.code]).toEqual([422, 'PAYOUT_NOT_POSSIBLE']);
      expect(reply.text.toLowerCase()).not.toMatch(/freez|frozen|court|fraud|complian/);
      expect(await merchant.balance()).toEqual(before);
      await lift(id);
      await pay(merchant, accountNumber);
      await fixture.worker.runOnce();
      expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
    },
  );

  it('that was accepted before the freeze waits with its money held, hinders no other, and goes once when it is lifted', async () => {
    const merchant = await fixture.addMerchant();
    const accountNumber = payee();
    const [frozen, other] = [await pay(merchant, accountNumber), await pay(merchant, payee())];
    const held = await merchant.balance();
    const { id } = await freezeBy(deps, { subject: 'ACCOUNT', bankCode: '058', accountNumber });
    await untilQuiet(fixture);
    expect(await stateOf(frozen)).toEqual(HELD);
    expect(await stateOf(other)).toMatchObject({ status: 'SUCCESS', cases: null });
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
    expect((await merchant.balance()).availableMinor).toBe(held.availableMinor);
    await lift(id);
    const process = await fixture.otherProcess();
    await Promise.all([fixture.worker, createPayoutWorker(process.deps)].map((worker) => worker.runOnce()));
    await untilQuiet(fixture);
    expect(await stateOf(frozen)).toEqual({ status: 'SUCCESS', operator_reason: null, cases: [['FROZEN', 'LAPSED']] });
    expect(await executed(fixture, merchant.tenant)).toHaveLength(2);
    await process.close();
  });

  it.each([
    ['our id', 'id'],
    ['the reference that its rail has', 'rail_reference'],
  ])('that was accepted before %s was frozen is not sent', async (_, column) => {
    const merchant = await fixture.addMerchant();
    const payoutId = await pay(merchant, payee());
    const { rows } = await fixture.database.pool.query(`select ${column} as reference from payouts where id = $1`, [
      payoutId,
    ]);
    const { id } = await freezeBy(deps, { subject: 'REFERENCE', reference: rows[0].reference });
    await untilQuiet(fixture);
    expect(await stateOf(payoutId)).toEqual(HELD);
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    await lift(id);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('leaves whatever is frozen in the other mode', async () => {
    const merchant = await fixture.addMerchant();
    const accountNumber = payee();
    await freezeBy(deps, { mode: 'LIVE', subject: 'ACCOUNT', bankCode: '058', accountNumber });
    await freezeBy(deps, { mode: 'LIVE', subject: 'MERCHANT', merchantId: merchant.merchantId });
    const payoutId = await pay(merchant, accountNumber);
    await untilQuiet(fixture);
    expect(await stateOf(payoutId)).toMatchObject({ status: 'SUCCESS', cases: null });
  });

  it('that a freeze holds is released by nobody, and goes by itself once the freeze has had its time', async () => {
    const merchant = await fixture.addMerchant();
    const { tenant, merchantId } = merchant;
    const accountNumber = payee();
    const payoutId = await pay(merchant, accountNumber);
    const endsAt = new Date(fixture.clock.now().getTime() + 3_600_000);
    await freezeBy(deps, { subject: 'ACCOUNT', bankCode: '058', accountNumber, endsAt });
    await fixture.worker.runOnce();
    expect(await stateOf(payoutId)).toEqual(HELD);
    const { rows } = await fixture.database.pool.query('select id from compliance_cases where merchant_id = $1', [
      merchantId,
    ]);
    const released = proposeRelease(deps, { tenant, caseId: rows[0].id, note: 'He is somebody else', personId: ada });
    await expect(released).rejects.toMatchObject({ code: 'COMPLIANCE_CASE_NOT_RELEASABLE' });
    fixture.clock.advance(3_601_000);
    await endCasesOver(deps);
    await untilQuiet(fixture);
    expect(await stateOf(payoutId)).toEqual({
      status: 'SUCCESS',
      operator_reason: null,
      cases: [['FROZEN', 'LAPSED']],
    });
    expect(await executed(fixture, tenant)).toHaveLength(1);
  });

  it('of a batch to a frozen account waits, and the rest of the batch is paid', async () => {
    const merchant = await fixture.addMerchant();
    const list = items(10, { amount: 1_000 }).map((item, at) => ({
      ...item,
      accountNumber: String(2_500_000_000 + at),
    }));
    const { id } = await freezeBy(deps, { subject: 'ACCOUNT', bankCode: '058', accountNumber: '2500000003' });
    const made = await merchant.call('POST', '/payout/bulk', { items: list });
    await fixture.worker.runOnce();
    const { batchReference } = made.body.data;
    await merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference });
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(9);
    await lift(id);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(10);
  });

  it('that is held is refused by two people: nothing left, and its money is back', async () => {
    const merchant = await fixture.addMerchant();
    const accountNumber = payee();
    const before = await merchant.balance();
    const payoutId = await pay(merchant, accountNumber);
    const { id } = await freezeBy(deps, { subject: 'ACCOUNT', bankCode: '058', accountNumber });
    await fixture.worker.runOnce();
    const decision = { outcome: 'FAILED', source: 'OTHER', note: 'The account is frozen by a court' } as const;
    const { tenant } = merchant;
    const proposed = await proposeOutcome(deps, { tenant, payoutId, ...decision, personId: ada });
    await confirmOutcome(deps, { tenant, ...proposed, personId: bola });
    await untilQuiet(fixture);
    await endCasesOver(deps);
    expect(await stateOf(payoutId)).toEqual({
      status: 'FAILED',
      operator_reason: null,
      cases: [['FROZEN', 'REFUSED']],
    });
    expect(await merchant.balance()).toEqual(before);
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    await lift(id);
  });
});

describe('payouts of several merchants that one freeze held', () => {
  it('go when it is lifted, also where one case cannot be ended, and where a merchant has hundreds', async () => {
    const accountNumber = payee();
    const [first, second, other] = [
      await fixture.addMerchant(),
      await fixture.addMerchant(),
      await fixture.addMerchant(),
    ];
    const [unwritable, many, held] = [
      await pay(first, accountNumber),
      await pay(second, accountNumber),
      await pay(other, accountNumber),
    ];
    const { id } = await freezeBy(deps, { subject: 'ACCOUNT', bankCode: '058', accountNumber });
    await untilQuiet(fixture);
    const { pool } = fixture.database;
    const { rows } = await pool.query(
      `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
        where attrelid = 'compliance_cases'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'cause')`,
    );
    await pool.query(
      `insert into compliance_cases (id, cause, ${rows[0].columns})
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'older' || n, ${rows[0].columns}
         from compliance_cases, generate_series(1, 1100) n where subject_id = $1`,
      [many],
    );
    const rejects = `alter table compliance_cases add constraint unwritable
      check (subject_id <> '${unwritable}' or status = 'OPEN') not valid`;
    await pool.query(rejects);
    await lift(id);
    await untilQuiet(fixture);
    expect(await stateOf(held)).toMatchObject({ status: 'SUCCESS', cases: [['FROZEN', 'LAPSED']] });
    await pool.query('alter table compliance_cases drop constraint unwritable');
    await pool.query(`delete from compliance_cases where cause like 'older%'`);
    fixture.clock.advance(60_000);
    await endCasesOver(deps);
    await untilQuiet(fixture);
    for (const payoutId of [unwritable, many]) expect(await stateOf(payoutId)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a freeze and a payout at one moment', () => {
  it('in the order lease, freeze, call: the call is not made', async () => {
    const merchant = await fixture.addMerchant();
    const accountNumber = payee();
    const payoutId = await pay(merchant, accountNumber);
    let freezeId = '';
    const late: Container = {
      ...deps,
      payoutGuard: {
        ...deps.payoutGuard,
        async isFrozen(payout) {
          if (freezeId === '') {
            freezeId = (await freezeBy(deps, { subject: 'ACCOUNT', bankCode: '058', accountNumber })).id;
          }
          return deps.payoutGuard.isFrozen(payout);
        },
      },
    };
    await createPayoutWorker(late).runOnce();
    await untilQuiet(fixture);
    expect(await stateOf(payoutId)).toMatchObject({ operator_reason: 'UNDER_REVIEW', cases: [['FROZEN', 'OPEN']] });
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    await lift(freezeId);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('in any order, twelve times: it leaves once or is held, and never under a freeze that is in force', async () => {
    const merchant = await fixture.addMerchant();
    const process = await fixture.otherProcess();
    const workers = [fixture.worker, createPayoutWorker(process.deps)];
    const freezes: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const accountNumber = payee();
      const made = pay(merchant, accountNumber).catch(() => undefined);
      if (round % 2 === 0) await made;
      const frozen = freezeBy(round % 3 === 0 ? deps : (process.deps as Container), {
        subject: 'ACCOUNT',
        bankCode: '058',
        accountNumber,
      });
      const [{ id }] = await Promise.all([frozen, made, ...workers.map((worker) => worker.runOnce())]);
      freezes.push(id);
    }
    await untilQuiet(fixture);
    const sent = await executed(fixture, merchant.tenant);
    expect(new Set(sent.map(({ railReference }) => railReference)).size).toBe(sent.length);
    for (const id of freezes) await lift(id);
    await untilQuiet(fixture);
    const { rows } = await fixture.database.pool.query(
      `select count(*)::int as open from transactions where merchant_id = $1 and category = 'PAYOUT' and status <> 'SUCCESS'`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ open: 0 }]);
    await process.close();
  });

  it('where the worker dies between the lease and the call: nothing is sent while it is frozen, and it goes once after', async () => {
    const merchant = await fixture.addMerchant();
    const accountNumber = payee();
    const payoutId = await pay(merchant, accountNumber);
    const killed: Container = {
      ...deps,
      payoutGuard: { ...deps.payoutGuard, isFrozen: () => Promise.reject(new Error('killed')) },
    };
    await createPayoutWorker(killed).runOnce();
    const { id } = await freezeBy(deps, { subject: 'REFERENCE', reference: payoutId });
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    await lift(id);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
    expect(await stateOf(payoutId)).toMatchObject({ status: 'SUCCESS' });
  });
});
