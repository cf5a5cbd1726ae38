import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

/** Runs the boundary check on the tree in `cwd`; one line per violation: `rule: from -> to`. */
function violationsIn(cwd: string): string[] {
  const args = [CRUISER, '--config', CONFIG, '--output-type', 'json', 'src', 'dashboard/src'];
  const run = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.stdout === '') throw new Error(run.stderr);
  const { summary } = JSON.parse(run.stdout) as { summary: { violations: Violation[]; totalCruised: number } };
  expect(summary.totalCruised).toBeGreaterThan(0);
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

/** Imports that are forbidden, each in its own file, by the rule that has to find it. */
const BREACHES: Record<string, { from: string; to: string }> = {
  'platform-knows-no-business': { from: 'src/platform/text.ts', to: '../money/index.ts' },
  'money-is-pure': { from: 'src/money/read.ts', to: 'node:fs' },
  'rails-never-import-the-ledger': { from: 'src/rails/send.ts', to: '../ledger/index.ts' },
  'ledger-never-imports-rails': { from: 'src/ledger/post.ts', to: '../rails/index.ts' },
  'enter-through-index': { from: 'src/payouts/pay.ts', to: '../wallets/queries.ts' },
  'enter-through-index-from-the-top': { from: 'src/app.ts', to: './wallets/queries.ts' },
  'nothing-imports-the-top': { from: 'src/payouts/start.ts', to: '../container.ts' },
  'settings-arrive-as-arguments': { from: 'src/payouts/settings.ts', to: '../config.ts' },
  'every-module-has-its-place': { from: 'src/unheard-of/index.ts', to: '../money/index.ts' },
  'no-cycles': { from: 'src/stores/egg.ts', to: './hen.ts' },
  'no-cycles-between-modules': { from: 'src/stores/open.ts', to: '../subaccounts/index.ts' },
  'no-cycles-between-dashboard-folders': { from: 'dashboard/src/fees/list.tsx', to: '../float/card.tsx' },
  'src-stands-alone': { from: 'src/stores/fake.ts', to: '../../test/fake.ts' },
  'src-needs-no-development-package': { from: 'src/stores/measure.ts', to: 'vitest' },
  'one-way-to-the-database': { from: 'src/stores/connect.ts', to: 'pg' },
  'one-place-knows-http': { from: 'src/stores/answer.ts', to: 'fastify' },
  'dashboard-talks-http-only': { from: 'dashboard/src/stores/store.ts', to: '../../../src/stores/index.ts' },
  'dashboard-api-knows-no-page': { from: 'dashboard/src/api/call.ts', to: '../components/button.ts' },
  'dashboard-format-is-pure': { from: 'dashboard/src/format/money.ts', to: '../api/mode.ts' },
  'dashboard-components-know-no-noun': { from: 'dashboard/src/components/table.ts', to: '../stores/page.ts' },
  'dashboard-routes-are-the-top': { from: 'dashboard/src/stores/list.ts', to: '../routes/stores.ts' },
  'no-unresolvable': { from: 'src/stores/lost.ts', to: './nowhere.ts' },
  'downwards-only-from-platform-money': { from: 'src/money/book.ts', to: '../ledger/index.ts' },
  'downwards-only-from-ledger-rails': { from: 'src/ledger/who.ts', to: '../merchants/index.ts' },
  'downwards-only-from-merchants-banks-audit-mail': { from: 'src/merchants/tell.ts', to: '../webhooks/index.ts' },
  'downwards-only-from-people': { from: 'src/people/pay.ts', to: '../payouts/index.ts' },
  'downwards-only-from-peppers': { from: 'src/peppers/pay.ts', to: '../wallets/index.ts' },
  'downwards-only-from-access-webhooks': { from: 'src/access/show.ts', to: '../wallets/index.ts' },
  'downwards-only-from-transactions-wallets-fees-availability-rail-accounts': {
    from: 'src/fees/pay.ts',
    to: '../payouts/index.ts',
  },
  'downwards-only-from-limits-bank-directory-reserves-screening': {
    from: 'src/limits/pay.ts',
    to: '../payouts/index.ts',
  },
  'downwards-only-from-stores-subaccounts-payouts-profile-sandbox-onboarding-beneficiaries-customers-request-log-saved-views-stream-support-views-announcements':
    {
      from: 'src/stores/manage.ts',
      to: '../admin/index.ts',
    },
  'downwards-only-from-payout-delivery-payout-directory-virtual-accounts-collections-home-search': {
    from: 'src/collections/count.ts',
    to: '../admin/index.ts',
  },
  'downwards-only-from-checkout': { from: 'src/checkout/show.ts', to: '../admin/index.ts' },
  'downwards-only-from-payment-links': { from: 'src/payment-links/keep.ts', to: '../admin/index.ts' },
  'downwards-only-from-payment-sessions-disputes': { from: 'src/payment-sessions/keep.ts', to: '../admin/index.ts' },
  'downwards-only-from-batches-outcomes-manual-credits-suspense-receipts-refunds': {
    from: 'src/batches/read.ts',
    to: '../admin/index.ts',
  },
  'downwards-only-from-approvals': { from: 'src/approvals/pay.ts', to: '../payouts/index.ts' },
  'downwards-only-from-batch-files-reconciliation-compliance-merchant-settlements-refund-outcomes-dispute-proposals': {
    from: 'src/reconciliation/show.ts',
    to: '../admin/index.ts',
  },
  'downwards-only-from-provider-settlements': { from: 'src/provider-settlements/show.ts', to: '../admin/index.ts' },
  'downwards-only-from-daily-close-event-archive-retention': {
    from: 'src/daily-close/show.ts',
    to: '../admin/index.ts',
  },
};

/** What the breaches reach, and the other half of each circle. */
const REACHED: Record<string, string> = {
  'dashboard/src/api/mode.ts': '',
  'dashboard/src/components/button.ts': '',
  'dashboard/src/float/card.tsx': `import '../fees/list.tsx';`,
  'dashboard/src/routes/stores.ts': '',
  'dashboard/src/stores/page.ts': '',
  'src/config.ts': '',
  'src/container.ts': '',
  'src/stores/hen.ts': `import './egg.ts';`,
  'src/stores/index.ts': '',
  'src/subaccounts/index.ts': `import '../stores/index.ts';`,
  'src/wallets/queries.ts': '',
  'test/fake.ts': '',
  ...Object.fromEntries(
    ['money', 'ledger', 'rails', 'merchants', 'webhooks', 'wallets', 'payouts', 'admin'].map((name) => [
      `src/${name}/index.ts`,
      '',
    ]),
  ),
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: { pg: '*', fastify: '*' },
    devDependencies: { vitest: '*' },
  }),
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
  ...Object.fromEntries(
    ['pg', 'fastify', 'vitest'].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
      [`node_modules/${name}/index.js`, ''],
    ]),
  ),
};

interface Rule {
  name: string;
  from: { path: string };
  to: { path: string };
}
const { forbidden } = createRequire(import.meta.url)(CONFIG) as { forbidden: Rule[] };

/** A file in every module of the order but the highest ones, which imports from the line above its own. */
function upwardImports(): { rule: string; from: string; to: string }[] {
  const names = (path: string) => path.replace(/^\^src\/\(|\)\/$/g, '').split('|');
  return forbidden
    .filter(({ name }) => name.startsWith('downwards-only-from-'))
    .flatMap(({ name: rule, from, to }) =>
      names(from.path).map((name) => ({
        rule,
        from: `src/${name}/look-up.ts`,
        to: `../${names(to.path)[0]}/index.ts`,
      })),
    );
}

/** That this tree keeps to it is seen by `npm run check:imports`; here is that the check would see a breach. */
describe('the order of the modules', () => {
  const planted = mkdtempSync(join(tmpdir(), 'manilla-boundaries-'));
  afterAll(() => rmSync(planted, { recursive: true, force: true }));

  it('is checked by rules that each find a breach', () => {
    const breaches = Object.values(BREACHES).map(({ from, to }) => [from, `import '${to}';\n`]);
    for (const [path, text] of [...Object.entries(REACHED), ...breaches] as [string, string][]) {
      mkdirSync(dirname(join(planted, path)), { recursive: true });
      writeFileSync(join(planted, path), text);
    }
    const found = violationsIn(planted);
    const unseen = Object.entries(BREACHES).filter(
      ([name, { from }]) => !found.some((line) => line.startsWith(`${name}: ${scopeOf(name, from)} -> `)),
    );
    expect(unseen).toEqual([]);
  });

  it('finds an import from above in every module', () => {
    const upwards = upwardImports();
    expect(upwards.length).toBeGreaterThan(25);
    const cwd = join(planted, 'upwards');
    const files = upwards.flatMap(({ from, to }) => [
      [from, `import '${to}';\n`] as const,
      [join(dirname(from), to), ''] as const,
    ]);
    for (const [path, text] of [
      ...files,
      ['tsconfig.json', '{}'],
      ['package.json', '{}'],
      ['dashboard/src/main.tsx', ''],
    ] as const) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const found = violationsIn(cwd);
    expect(upwards.filter(({ rule, from }) => !found.some((line) => line.startsWith(`${rule}: ${from} -> `)))).toEqual(
      [],
    );
  });

  it('has a planted breach for every rule of the check', () => {
    expect(Object.keys(BREACHES).sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });
});

/** Circles between folders are reported by folder, the other rules by file. */
function scopeOf(rule: string, from: string): string {
  return rule.startsWith('no-cycles-between-') ? dirname(from) : from;
}
