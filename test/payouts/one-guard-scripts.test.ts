import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchDeps } from '../../src/batches/deps.ts';
import { schedulePayout } from '../../src/payouts/schedule-payout.ts';
import { paySingle } from '../../src/payouts/single-payout.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { dispatchBy, processOf, singleOf, validatedBatch } from './batch-fixture.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, untilQuiet } from './payout-fixture.ts';

/** For every push. `SCRIPTS` makes more of them, `SCRIPTS_SEED` repeats one that failed: fast-check prints it. */
const RUNS = Number(process.env['SCRIPTS'] ?? 4);
const SEED = process.env['SCRIPTS_SEED'];

let fixture: PayoutFixture;
let other: Awaited<ReturnType<PayoutFixture['otherProcess']>>;
beforeAll(async () => {
  fixture = await createPayoutFixture();
  other = await fixture.otherProcess();
});
afterAll(async () => {
  await other.close();
  await fixture.close();
});

const WINDOW_SECONDS = 120;
const LISTS_SECONDS = 24 * 60 * 60;
/** The last one's bank refuses every payment, for good. */
const ACCOUNTS = ['0123456785', '1111111111', '0000999911'];
const REFUSALS = new Set(['PAYOUT_DUPLICATE', 'BATCH_DUPLICATE']);

const account = fc.constantFrom(...ACCOUNTS);
const isMeant = fc.constantFrom(false, false, false, true);
const move = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), account, isMeant }),
  fc.record({
    kind: fc.constant('schedule' as const),
    account,
    isMeant,
    inSeconds: fc.constantFrom(5, 60, 119, 120, 150, 3_600),
  }),
  fc.record({
    kind: fc.constant('list' as const),
    accounts: fc.array(account, { minLength: 1, maxLength: 3 }),
    isMeant,
  }),
);
/** What comes at once, what falls due before anything else comes, and how long that is. */
const moment = fc.record({
  moves: fc.array(move, { minLength: 1, maxLength: 5 }),
  works: fc.boolean(),
  seconds: fc.constantFrom(0, 1, 59, 60, 119, 120, 121, 3_600),
});

type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;
type Attempt = (process: BatchDeps) => Promise<unknown>;

const row = (accountNumber: string) => ({ amount: 77, bankCode: '058', accountNumber, narration: 'Rent' });

/** Whatever can be done before is done; what is left is the one request that asks for the money. */
async function attemptOf(merchant: Merchant, one: Move): Promise<Attempt> {
  const allowDuplicate = one.isMeant;
  if (one.kind === 'list') {
    const reference = await validatedBatch(fixture, merchant, one.accounts.map(row));
    return (process) => dispatchBy(process, merchant, reference, { allowDuplicate });
  }
  const single = singleOf(merchant, row(one.account), { allowDuplicate });
  if (one.kind === 'pay') return (process) => paySingle(process, single);
  const scheduledFor = new Date(fixture.clock.now().getTime() + one.inSeconds * 1_000);
  return (process) => schedulePayout(process, { ...single, scheduledFor });
}

interface Paid {
  account: string;
  party: string;
  isList: boolean;
  isMeant: boolean;
  /** When it was accepted to be paid at once; a bank may hear of it later. */
  paidAt: Date;
}

/** What got its money, from the payouts themselves: what the guard has noted is not asked. */
async function paymentsOf({ merchantId }: Merchant): Promise<Paid[]> {
  const sql = `select t.beneficiary_account_number as account, coalesce(p.batch_id, p.id) as party,
                      p.batch_id is not null as "isList", p.allow_duplicate as "isMeant",
                      greatest(coalesce(s.queued_at, t.created_at), p.scheduled_for) as "paidAt"
                 from payouts p
                 join transactions t on t.merchant_id = p.merchant_id and t.id = p.id
                 left join lateral (
                   select min(created_at) as queued_at from state_changes
                    where merchant_id = p.merchant_id and subject_id = p.id and to_state = 'QUEUED'
                 ) s on true
                where p.merchant_id = $1 and t.status = 'SUCCESS' order by "paidAt"`;
  return (await fixture.database.pool.query<Paid>(sql, [merchantId])).rows;
}

const repeat = (one: Paid, earlier: Paid): boolean => {
  if (one.account !== earlier.account || one.party === earlier.party || one.isMeant || earlier.isMeant) return false;
  const seconds = Math.abs(one.paidAt.getTime() - earlier.paidAt.getTime()) / 1_000;
  return seconds < (one.isList && earlier.isList ? LISTS_SECONDS : WINDOW_SECONDS);
};

const TIMEOUT_MS = 60_000 + RUNS * 2_000;

it(
  'whatever comes by whatever way in whatever order, at once or apart, nothing is paid twice that was not meant twice',
  async () => {
    const processes = [processOf(fixture.deps), processOf(other.deps)] as const;
    const property = fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 8 }), async (script) => {
      const merchant = await fixture.addMerchant(100_000_000);
      for (const { moves, works, seconds } of script) {
        const attempts: Attempt[] = [];
        for (const one of moves) attempts.push(await attemptOf(merchant, one));
        const ends = await Promise.allSettled(attempts.map((attempt, at) => attempt(processes[at % 2 === 0 ? 0 : 1])));
        for (const end of ends) {
          if (end.status === 'rejected' && !REFUSALS.has(end.reason.code)) throw end.reason;
        }
        if (works) await fixture.worker.runOnce();
        fixture.clock.advance(seconds * 1_000);
        if (works) await fixture.worker.runOnce();
      }
      await untilQuiet(fixture);
      const paid = await paymentsOf(merchant);
      expect(paid.filter((one, at) => paid.slice(0, at).some((earlier) => repeat(one, earlier)))).toEqual([]);
      // The guard stops nothing for good: of what was asked for, something was paid.
      const asked = new Set(
        script.flatMap(({ moves }) => moves).flatMap((one) => (one.kind === 'list' ? [] : [one.account])),
      );
      asked.delete('0000999911');
      for (const one of asked) expect(paid.map((each) => each.account)).toContain(one);
      expect((await verifyBooks(fixture.database)).checks.filter(({ ok }) => !ok)).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
  },
  TIMEOUT_MS,
);
