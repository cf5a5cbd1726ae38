import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { scratchFolder } from './test/support/scratch.ts';

// Before anything asks for a folder; workers and what they start inherit it.
process.env['TMPDIR'] = scratchFolder();
// Half of the start of a service or worker is compiling its files; those that end in peace keep it for the next.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/manilla/compiled');

/** Reads and computes, with no database, no service and no process of its own. */
const UNIT = [
  'test/access/api-key.test.ts',
  'test/api/openapi-file.test.ts',
  'test/architecture/**/*.test.ts',
  'test/audit/subject.test.ts',
  'test/banks/nuban.test.ts',
  'test/collections/noted-credits.test.ts',
  'test/compliance/likely-names.test.ts',
  'test/merchant-settlements/calendar.test.ts',
  'test/dashboard/balance-line.test.ts',
  'test/dashboard/settlement-terms.test.ts',
  'test/dashboard/class-names.test.ts',
  'test/dashboard/first-load.test.ts',
  'test/dashboard/format.test.ts',
  'test/dashboard/navigation.test.ts',
  'test/fees/quote-collection.test.ts',
  'test/fees/quote-payout.test.ts',
  'test/ledger/decide.test.ts',
  'test/ledger/event-texts.test.ts',
  'test/platform/pieces.test.ts',
  'test/money/**/*.test.ts',
  'test/payouts/bank-names.test.ts',
  'test/payouts/batch-names.test.ts',
  'test/payouts/fair-slots.test.ts',
  'test/payouts/problem-codes.test.ts',
  'test/platform/active-pdf.test.ts',
  'test/platform/command-failures.test.ts',
  'test/platform/config.test.ts',
  'test/platform/connection-moves.test.ts',
  'test/platform/credentials.test.ts',
  'test/platform/failures.test.ts',
  'test/platform/fast-path.test.ts',
  'test/platform/give-way.test.ts',
  'test/platform/group-reader.test.ts',
  'test/platform/ids.test.ts',
  'test/platform/in-halves.test.ts',
  'test/platform/jobs.test.ts',
  'test/platform/lists.test.ts',
  'test/platform/overload.test.ts',
  'test/platform/period.test.ts',
  'test/platform/poll-lists.test.ts',
  'test/platform/queues.test.ts',
  'test/platform/sealed-values.test.ts',
  'test/platform/servers.test.ts',
  'test/platform/spreadsheet.test.ts',
  'test/platform/stopping.test.ts',
  'test/platform/take-each.test.ts',
  'test/platform/text.test.ts',
  'test/platform/uploads.test.ts',
  'test/platform/written-address.test.ts',
  'test/rails/call-rail.test.ts',
  'test/rails/call-wallets.test.ts',
  'test/rails/decimal-amount.test.ts',
  'test/rails/http.test.ts',
  'test/rails/monnify-session.test.ts',
  'test/rails/nip-codes.test.ts',
  'test/rails/reported.test.ts',
  'test/rails/sandbox-guide.test.ts',
  'test/request-log/counts.test.ts',
  'test/request-log/redact.test.ts',
  'test/search/tokens.test.ts',
  'test/webhooks/connection.test.ts',
];
/**
 * Pages in a real browser on a real service. `.ci/run` walks through those of every day; all pages are half of the time of
 * everything together, so that `npm run test:walks` and `.ci/nightly` have the rest of them.
 */
const ALL_WALKS = ['test/dashboard/**/*.test.ts'];
const EVERY_DAY = [
  'test/dashboard/approvals.test.ts',
  'test/dashboard/money-in.test.ts',
  'test/dashboard/payouts.test.ts',
  'test/dashboard/payroll-upload.test.ts',
  'test/dashboard/signing-in.test.ts',
];
/**
 * Faults, which `npm run test:faults` has and `npm test` has not: processes and clusters that are killed at every step,
 * connections that are swallowed or on their way to another process, poisoned rows and files, bodies that are meant to cost
 * much, a rail on its worst day. Each takes seconds, and `.ci/run` takes those that lose money where they fail.
 */
const FAULTS = [
  'test/api/cheap-refusals.test.ts',
  'test/api/go-client.test.ts',
  'test/**/poisoned-*.test.ts',
  'test/daily-close/kills.test.ts',
  'test/merchant-settlements/kills.test.ts',
  'test/payouts/pipeline-kills.test.ts',
  'test/provider-settlements/*-kill.test.ts',
  'test/ledger/commit-unknown.test.ts',
  'test/payouts/many-uploads.test.ts',
  'test/reconciliation/import-races.test.ts',
  'test/event-archive/crashes.test.ts',
  'test/webhooks/workers.test.ts',
  'test/faults/**/*.test.ts',
  'test/simulation/**/*.test.ts',
  'test/scenarios/**/*.test.ts',
  'test/peppers/command.test.ts',
  'test/platform/durability.test.ts',
  'test/platform/embedded-*.test.ts',
  'test/platform/moved-connections.test.ts',
  'test/platform/within.test.ts',
];

/**
 * What takes six seconds on two quiet cores, on a machine ten times slower. A file with longer tests says why. Citus plans every
 * statement each time, at the coordinator and on a worker: a proof of the books alone takes seconds there.
 */
const ORDINARY_MS = process.env['TEST_CITUS_SERVERS'] === undefined ? 60_000 : 180_000;
/** A walk is a person's minute at a page; a fault is a start of a cluster and what comes before and after it. */
const WALK_MS = 120_000;

const slow = { testTimeout: WALK_MS, hookTimeout: 180_000 };
/**
 * A worker makes services and whole answers by the hundred, none of which lives long: with 64 MB from the beginning, they
 * are collected all at once, and it spends a tenth less of its processor time.
 */
const YOUNG_GENERATION = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
const served = {
  pool: 'forks' as const,
  execArgv: YOUNG_GENERATION,
  globalSetup: ['test/support/global-setup.ts'],
};
const walked = {
  ...served,
  ...slow,
  globalSetup: [...served.globalSetup, 'test/dashboard/support/build.ts'],
  // Files of a worker share a browser, and the program as those of the database do.
  isolate: false,
  // A page shows what the service said a moment after it was said.
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    // Files are loaded as the service's are, by Node itself: what is not mocked needs nobody in between.
    experimental: { viteModuleRunner: false },
    // Two cores are the smallest machine that this has to run on; much of a test is waiting for a bank, a page or a lock.
    maxWorkers: Math.max(3, availableParallelism()),
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: UNIT,
          pool: 'threads',
          isolate: false,
          testTimeout: ORDINARY_MS,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...UNIT, ...ALL_WALKS, ...FAULTS],
          setupFiles: ['test/support/one-server.ts'],
          ...served,
          // Files of a worker share the program, compiled and warm, and each has a database and a service of its own.
          isolate: false,
          testTimeout: ORDINARY_MS,
          // Some files prove the books of all of their tests at the end.
          hookTimeout: ORDINARY_MS,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'browser',
          include: process.env['WALKS'] === 'every-day' ? EVERY_DAY : ALL_WALKS,
          exclude: [...configDefaults.exclude, ...UNIT],
          ...walked,
        },
      },
      {
        test: {
          name: 'faults',
          include: FAULTS,
          ...served,
          isolate: false,
          ...slow,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
