import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * The tests whose worth grows with time, at a length that no commit waits for: kill -9 again and again under traffic,
 * ten thousand payouts through a rail on its worst day, as many transfers at three providers and as many payments of
 * thirty days, many more made-up requests for each operation, for the reader of HTTP beside Node's and for the ledger beside
 * its model, its totals of days and what guards it, the proof of a million transfers and of books with one value of each column changed, lists
 * of a merchant with 400,000 transactions, many more processes that are killed between a credit or refund and the books, and
 * everybody first who decides one payout at one moment.
 * What is set in the environment stays as it is set.
 */
const LONG = {
  CRASH_CYCLES: '100',
  CRASH_LOAD_MS: '3000',
  FUZZ_RUNS: '5000',
  MODEL_RUNS: '2000',
  DAILY_TOTALS_SEEDS: '40',
  GUARD_RUNS: '2000',
  SCRIPTS: '200',
  ADVERSARIAL_PAYOUTS: '11000',
  MONEY_IN_CASES: '10000',
  THIRTY_DAYS_PAYMENTS: '10000',
  VERIFY_TRANSFERS: '1000000',
  MUTATIONS: '0',
  LONG_LISTS: '400000',
  CREDIT_KILLS: '30',
  REFUND_KILLS: '6',
  ONE_MOMENT_ROUNDS: '7',
};

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/faults',
    'test/scenarios',
    'test/simulation',
    'test/api/openapi.test.ts',
    'test/api/long-lists.test.ts',
    'test/ledger/daily-totals.test.ts',
    'test/ledger/guards.test.ts',
    'test/ledger/model.test.ts',
    'test/platform/fast-path.test.ts',
    'test/payouts/one-guard-scripts.test.ts',
    'test/collections/credit-kills.test.ts',
    'test/reconciliation/one-moment.test.ts',
    'test/refunds/refund-kills.test.ts',
    'test/verify/proof.test.ts',
    'test/verify/scale.test.ts',
    ...process.argv.slice(2),
  ],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), env: { ...LONG, ...process.env }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
