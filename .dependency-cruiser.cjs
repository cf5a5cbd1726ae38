'use strict';

/**
 * The order of the modules, lowest first. A module imports from its own line or from the lines above it; two modules
 * of one line may not import each other in a circle. A new folder under src/ gets its place here or the check fails.
 */
const ORDER = [
  ['platform', 'money'],
  ['ledger', 'rails'],
  ['merchants', 'banks', 'audit', 'mail'],
  ['access', 'webhooks'],
  ['people'],
  ['peppers'],
  ['transactions', 'wallets', 'fees', 'availability', 'rail-accounts'],
  ['approvals'],
  ['limits', 'bank-directory', 'reserves', 'screening'],
  [
    'stores',
    'subaccounts',
    'payouts',
    'profile',
    'sandbox',
    'onboarding',
    'beneficiaries',
    'customers',
    'request-log',
    'saved-views',
    'stream',
    'support-views',
    'announcements',
  ],
  ['payout-delivery', 'payout-directory', 'virtual-accounts', 'collections', 'home', 'search'],
  ['payment-sessions', 'disputes'],
  ['payment-links'],
  ['checkout'],
  ['batches', 'outcomes', 'manual-credits', 'suspense', 'receipts', 'refunds'],
  ['batch-files', 'reconciliation', 'compliance', 'merchant-settlements', 'refund-outcomes', 'dispute-proposals'],
  ['provider-settlements'],
  ['daily-close', 'event-archive', 'retention'],
  ['admin', 'demo', 'verify', 'operator', 'documentation'],
];

/** Files directly in src/ that put the modules together; nothing below imports them. */
const TOP =
  '^src/(app|command|container|routes|run-admin|run-service|scheduled-jobs|workers|main|runtime|service|service-process|supervisor|write-openapi)\\.ts$';

const known = ORDER.flat().join('|');
const anyOf = (names) => `^src/(${names.join('|')})/`;

const downwardsOnly = ORDER.slice(0, -1).map((names, at) => ({
  name: `downwards-only-from-${names.join('-')}`,
  comment: `${names.join(' and ')} stand below ${ORDER.slice(at + 1)
    .flat()
    .join(', ')}.`,
  severity: 'error',
  from: { path: anyOf(names) },
  to: { path: anyOf(ORDER.slice(at + 1).flat()) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...downwardsOnly,
    {
      name: 'platform-knows-no-business',
      comment: 'The platform has no business words; money is one.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(?!platform/)' },
    },
    {
      name: 'money-is-pure',
      comment:
        'Amounts and rounding depend on nothing that has state: no Node API, no package, no platform but errors.',
      severity: 'error',
      from: { path: '^src/money/' },
      to: { pathNot: '^src/(money/|platform/errors\\.ts$)' },
    },
    {
      name: 'rails-never-import-the-ledger',
      comment: 'A rail says what a bank answered. What that means for the books is decided above it.',
      severity: 'error',
      from: { path: '^src/rails/' },
      to: { path: '^src/ledger/' },
    },
    {
      name: 'ledger-never-imports-rails',
      comment: 'Books are kept without knowing which bank moved the money.',
      severity: 'error',
      from: { path: '^src/ledger/' },
      to: { path: '^src/rails/' },
    },
    {
      name: 'enter-through-index',
      comment: 'A module is entered through its index.ts. The platform is the exception: its files are its face.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/platform/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'enter-through-index-from-the-top',
      comment:
        'app.ts, service.ts and main.ts put modules together by their public faces. config.ts takes the bounds of some settings, and is loaded before any module.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: {
        path: '^src/[^/]+/',
        pathNot: ['^src/platform/', '^src/[^/]+/index\\.ts$', '^src/retention/settings\\.ts$'],
      },
    },
    {
      name: 'nothing-imports-the-top',
      comment:
        'Only main.ts, service.ts and app.ts import what puts the modules together, and nothing imports main.ts. Modules get what they need as arguments.',
      severity: 'error',
      from: { path: '^src/', pathNot: TOP },
      to: { path: TOP },
    },
    {
      name: 'settings-arrive-as-arguments',
      comment: 'config.ts is read once, at the top. A module names the values it needs in its own options.',
      severity: 'error',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/config\\.ts$' },
    },
    {
      name: 'every-module-has-its-place',
      comment: 'This folder is not in ORDER (.dependency-cruiser.cjs): decide what stands below it and above it.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${known})/` },
      to: {},
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one subject, or one of them knows too much.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-cycles-between-modules',
      comment: 'Modules of one line may use each other in one direction only.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/[^/]+$' },
      to: { path: '^src/[^/]+$', circular: true },
    },
    {
      name: 'no-cycles-between-dashboard-folders',
      comment: 'The dashboard has the same rule: two subjects that need each other are one, or share a third.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^dashboard/src/[^/]+$' },
      to: { path: '^dashboard/src/[^/]+$', circular: true },
    },
    {
      name: 'src-stands-alone',
      comment: 'What runs in production does not know how it is tested, measured or maintained.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts|dashboard)/' },
    },
    {
      name: 'src-needs-no-development-package',
      comment: 'A production install leaves devDependencies out.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    },
    {
      name: 'one-way-to-the-database',
      comment: 'Only the platform sees the PostgreSQL client: there COMMIT is checked and connections are let go.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/' },
      to: { path: ['^node_modules/pg/', '^node_modules/pg-', '^node_modules/@types/pg/'] },
    },
    {
      name: 'one-place-knows-http',
      comment: 'Commands throw typed errors and return values; only the HTTP shell, routes and guards see requests.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/platform/http/', '^src/access/', '^src/documentation/', '^src/checkout/', TOP, 'routes?\\.ts$'],
      },
      to: { path: '^node_modules/@?fastify/' },
    },
    {
      name: 'dashboard-talks-http-only',
      comment: 'The pages know the service by its API document; a test may know both.',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(src|test|bench|scripts)/' },
    },
    {
      name: 'dashboard-api-knows-no-page',
      comment: 'format, then api, then components, then shell and the folders of nouns, then routes.',
      severity: 'error',
      from: { path: '^dashboard/src/api/' },
      to: { path: '^dashboard/src/(?!api/|format/)' },
    },
    {
      name: 'dashboard-format-is-pure',
      comment: 'Amounts and times become words without a page.',
      severity: 'error',
      from: { path: '^dashboard/src/format/' },
      to: { pathNot: '^dashboard/src/format/' },
    },
    {
      name: 'dashboard-components-know-no-noun',
      comment: 'A component fits any page: what knows stores or payouts belongs to their folder.',
      severity: 'error',
      from: { path: '^dashboard/src/components/' },
      to: { path: '^dashboard/src/(?!components/|api/|format/)' },
    },
    {
      name: 'dashboard-routes-are-the-top',
      comment: 'Routes put pages at addresses; only the generated tree imports them.',
      severity: 'error',
      from: { path: '^dashboard/src/(?!route-tree\\.gen\\.ts$|main\\.tsx$)' },
      to: { path: '^dashboard/src/routes/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dashboard/(dist|node_modules)|node_modules/\\.)' },
    // A type imported from above couples as much as a value does.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
};
