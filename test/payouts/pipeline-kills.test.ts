import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import type { RailCaller, SendRequest } from '../../src/rails/index.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import {
  addPayouts,
  createPayoutFixture,
  type Merchant,
  type PayoutFixture,
  railsOf,
  untilQuiet,
} from './payout-fixture.ts';

const COUNT = 200;

let fixture: PayoutFixture;
beforeEach(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => fixture.close());

/** Where a worker is killed, and how much of it happened before. */
const STEPS = [
  'before it could claim',
  'when it had claimed',
  'before it could say that it would send',
  'when it had said so',
  'before it sent',
  'when it had sent',
  'when the rail had answered',
  'when the books had it',
] as const;
type Step = (typeof STEPS)[number];

/** Its deps as a worker sees them that is killed at the nth time that it comes to `step`: from then on nothing returns. */
function doomed(deps: PayoutDeps, rail: RailCaller, step: Step, nth: number) {
  let left = nth;
  let dead = false;
  const gone = () => new Promise<never>(() => undefined);
  const dies = (here: Step) => {
    if (here === step) left -= 1;
    dead ||= left <= 0;
    return dead;
  };
  const around = async <T>(before: Step, after: Step, work: () => Promise<T>): Promise<T> => {
    if (dies(before)) return gone();
    const done = await work();
    return dies(after) ? gone() : done;
  };
  const database: PayoutDeps['database'] = {
    ...deps.database,
    query: (statement, values) => (dead ? gone() : deps.database.query(statement, values)),
    run: (into, rows) => (dead ? gone() : deps.database.run(into, rows)),
    transaction: (work, how) =>
      around('before it could claim', 'when it had claimed', () => deps.database.transaction(work, how)),
  };
  const ledger: PayoutDeps['ledger'] = {
    ...deps.ledger,
    commit: (movement) =>
      movement.transfers === undefined
        ? around('before it could say that it would send', 'when it had said so', () => deps.ledger.commit(movement))
        : around('when the rail had answered', 'when the books had it', () => deps.ledger.commit(movement)),
  };
  const send = (request: SendRequest) => around('before it sent', 'when it had sent', () => rail.send(request));
  const worker = createPayoutWorker({ ...deps, database, ledger, rails: railsOf({ ...rail, send }) });
  return { worker, isDead: () => dead };
}

async function expectAllPaidOnce(merchant: Merchant, ids: readonly string[]): Promise<void> {
  const { rows } = await fixture.database.pool.query(
    `select id, status from transactions where merchant_id = $1 and category = 'PAYOUT'`,
    [merchant.merchantId],
  );
  expect(rows.filter((row) => row.status !== 'SUCCESS')).toEqual([]);
  expect(rows).toHaveLength(ids.length);
  const lines = await fixture.rail.listTransfers(merchant.tenant, { after: '', limit: 10_000 });
  expect(lines.map((line) => line.railReference).sort()).toEqual(ids.map((id) => id.replaceAll('-', '')).sort());
  const { bookedMinor, availableMinor } = await merchant.balance();
  expect(bookedMinor).toBe(availableMinor);
  const { rows: sends } = await fixture.database.pool.query(
    `select payout_id from payout_attempts where merchant_id = $1 and kind = 'SEND' and outcome = 'succeeded'
      group by payout_id having count(*) > 1`,
    [merchant.merchantId],
  );
  expect(sends).toEqual([]);
}

describe('a worker with 200 payouts that is killed', () => {
  it.each(STEPS)('%s leaves them to another, who pays each once', async (step) => {
    const merchant = await fixture.addMerchant();
    const ids = await addPayouts(fixture, merchant, COUNT);
    const once = step.includes('claim');
    const { worker, isDead } = doomed(fixture.deps, fixture.caller, step, once ? 1 : 70);
    void worker.runOnce();
    await expect.poll(isDead).toBe(true);
    await untilQuiet(fixture);
    await expectAllPaidOnce(merchant, ids);
  });
});

describe('a worker that is killed before it sent', () => {
  it('leaves payouts that the bank does not know yet when it is asked, and both books agree in the end', async () => {
    const merchant = await fixture.addMerchant();
    const accountNumber = (at: number) => `${1_000 + at}999931`;
    const ids = await addPayouts(fixture, merchant, 20, { accountNumber });
    const { worker, isDead } = doomed(fixture.deps, fixture.caller, 'before it sent', 1);
    void worker.runOnce();
    await expect.poll(isDead).toBe(true);
    await untilQuiet(fixture);
    await expectAllPaidOnce(merchant, ids);
    const { rows } = await fixture.database.pool.query(
      `select 1 from payout_attempts where merchant_id = $1 and kind = 'QUERY' and outcome = 'not_found'`,
      [merchant.merchantId],
    );
    expect(rows.length).toBeGreaterThan(0);
    const { checks } = await verifyBooks(fixture.database);
    expect(checks.find(({ name }) => name === 'the-sandbox-rail-has-the-same-book')).toMatchObject({ ok: true });
  });
});

describe('three worker processes', () => {
  it('share 600 payouts of two merchants, and each is sent once', async () => {
    const merchants = [await fixture.addMerchant(), await fixture.addMerchant()];
    const ids = await Promise.all(merchants.map((merchant) => addPayouts(fixture, merchant, 300)));
    const others = await Promise.all([fixture.otherProcess(), fixture.otherProcess(), fixture.otherProcess()]);
    await Promise.all(others.map(({ deps }) => createPayoutWorker(deps).runOnce()));
    for (const [at, merchant] of merchants.entries()) await expectAllPaidOnce(merchant, ids[at]!);
    const { rows } = await fixture.database.pool.query(
      'select count(*)::int as sends from payout_attempts where kind = $1',
      ['SEND'],
    );
    expect(rows[0].sends).toBe(600);
    await Promise.all(others.map((other) => other.close()));
  });
});
