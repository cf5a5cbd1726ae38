import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { drawn } from '../../scripts/diagram-text.ts';
import { SHOWN_ROUTES } from '../../scripts/screenshot-routes.ts';
import { adminHelp } from '../../src/admin/index.ts';
import { approvalStates } from '../../src/approvals/index.ts';
import { batchStates } from '../../src/batches/batch-state.ts';
import { beneficiaryStates } from '../../src/beneficiaries/index.ts';
import { inboundStates } from '../../src/collections/index.ts';
import { isConclusive as isPaymentConclusive } from '../../src/collections/queries.ts';
import { disputeStates, isEnded } from '../../src/disputes/queries.ts';
import { ERROR_CODES } from '../../src/documentation/error-codes.ts';
import { isFinal, type StateMachine } from '../../src/ledger/index.ts';
import { manualCreditStates } from '../../src/manual-credits/index.ts';
import { proposalStates } from '../../src/outcomes/queries.ts';
import { paymentLinkStates } from '../../src/payment-links/index.ts';
import { isConclusive as isSessionConclusive, paymentSessionStates } from '../../src/payment-sessions/index.ts';
import { failure } from '../../src/platform/answer.ts';
import { AppError, type ErrorKind } from '../../src/platform/errors.ts';
import { paymentToRefundStates, refundStates } from '../../src/refunds/index.ts';
import { isConclusive as isRefundConclusive } from '../../src/refunds/queries.ts';
import { suspenseProposalStates } from '../../src/suspense/index.ts';
import { isConclusive as isTransactionConclusive, transactionStates } from '../../src/transactions/index.ts';
import { CHECKS } from '../../src/verify/checks.ts';
import { virtualAccountStates } from '../../src/wallets/index.ts';
import { endpointStates } from '../../src/webhooks/queries.ts';
import { filesIn } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const src = filesIn('src', '.ts');
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const pages = [
  ...PAGES.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  ...filesIn('docs', '.md'),
];

const finalIn =
  <State extends string>(machine: StateMachine<State>) =>
  (state: State) =>
    isFinal(machine, state);

function page(path: string): string {
  const found = pages.find((file) => file.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found.text;
}

/** What runs the service, what keeps its data, and what people decide. */
const operatorsPages = () =>
  ['operations', 'backup-and-retention', 'operators-desk'].map((name) => page(`docs/${name}.md`)).join('\n');

function source(path: string): string {
  const found = src.find((file) => file.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found.text;
}

/** The text of one section, up to the next heading. */
function section(text: string, heading: string): string {
  const after = text.split(`\n## ${heading}\n`)[1];
  if (after === undefined) throw new Error(`there is no section ${heading}`);
  return after.split('\n## ')[0] ?? '';
}

function allMatches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match.slice(1).join(' '));
}

const pathOf = ({ path }: { path: string }) => path;
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** `GET /branch/store/{storeId}`, as a document has them; another test holds the documents to the routes. */
function operationsIn({ paths }: { paths?: object }): string[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** The same of the types of everything that the service serves; another test holds them to the service. */
function operationsOfTheDashboard(): string[] {
  const types = readFileSync(join(ROOT, 'dashboard/src/api/schema.d.ts'), 'utf8');
  const [paths = ''] = types.split(/^}$/m);
  return paths.split(/^ {4}"/m).flatMap((item) => {
    const methods = allMatches(item, /^ {8}(get|put|post|patch|delete): /gm);
    return methods.map((method) => `${method.toUpperCase()} ${item.split('"')[0]}`);
  });
}

const publicOperations = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as { paths: object };

const literal = (node: ts.Node | undefined) =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
/** Not the framework's own codes, which no client sees. */
const CODE = /^(?!FST_)[A-Z]+(_[A-Z0-9]+)+$/;

/** Every code that a client can be told, with the HTTP status where the source says it beside the code. */
function codesInSource(): Map<string, number | undefined> {
  const codes = new Map<string, number | undefined>();
  const speaking = src.filter(({ path, text }) => text.includes('AppError') || path.startsWith('src/platform/http/'));
  for (const { path, text } of speaking) {
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), (node) => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'AppError') {
        const [kind, code] = (node.arguments ?? []).map(literal);
        if (kind !== undefined && code !== undefined)
          codes.set(code, failure(new AppError(kind as ErrorKind, code, ''), '').status);
      }
      if (!path.startsWith('src/platform/http/')) return;
      // The HTTP shell has tables and a helper of its own.
      const named =
        ts.isPropertyAssignment(node) && node.name.getText() === 'code' ? literal(node.initializer) : undefined;
      const called =
        ts.isCallExpression(node) && node.expression.getText() === 'refused' ? literal(node.arguments[0]) : undefined;
      for (const code of [named, called])
        if (code !== undefined && CODE.test(code) && !codes.has(code)) codes.set(code, undefined);
    });
  }
  return codes;
}

/** What the log says of a failure or a contradiction: the words of `logger.error`, and of what a job failed at. */
function wordsOfTheLog(): string[] {
  const words: (string | undefined)[] = [];
  for (const { path, text } of src) {
    if (!/logger\??\.(?:error|fatal)\(|message: '[a-z]/.test(text)) continue;
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), (node) => {
      if (ts.isObjectLiteralExpression(node)) words.push(failureIn(node));
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const { name, expression } = node.expression;
      if (/logger$/i.test(expression.getText()) && ['error', 'fatal'].includes(name.text))
        words.push(literal(node.arguments.at(-1)));
    });
  }
  return words.filter((each) => each !== undefined);
}

/** What a job that fails, or a record that was altered, has written: it begins small, and names no field as a refusal does. */
function failureIn({ properties }: ts.ObjectLiteralExpression): string | undefined {
  const of = (name: string) => properties.find((each) => each.name?.getText() === name);
  const message = of('message');
  if (message === undefined || !ts.isPropertyAssignment(message) || of('field') !== undefined) return undefined;
  const words = literal(message.initializer);
  return words !== undefined && /^[a-z]+ /.test(words) ? words : undefined;
}

/** Names of files that the guide for contributors makes up. */
const EXAMPLES: ReadonlySet<string> = new Set(['verb-noun.ts', 'rename-store.ts']);

/** Needs a settlement day that has passed. */
const NOT_SHOWN = ['/collections/settlements/:id'];

describe('the pictures of every page', () => {
  it('show every page of the dashboard', () => {
    const shape = (path: string) => path.replace(/[:$]\w+/g, ':id');
    const shown = new Set(SHOWN_ROUTES.map(({ path }) => shape(path.replace(/\?.*/, ''))));
    const routes = filesIn('dashboard/src/routes', '.tsx').map(({ path }) =>
      shape(path.replace(/^dashboard\/src\/routes|\/_merchant|(\/index)?\.tsx$/g, '')),
    );
    const missing = routes.filter((path) => !shown.has(path === '' ? '/' : path) && !NOT_SHOWN.includes(path));
    expect(missing.filter((path) => !path.startsWith('/__root'))).toEqual([]);
  });
});

describe('the documentation', () => {
  it('draws the modules and the way of the money as the imports are', () => {
    const text = page('ARCHITECTURE.md');
    expect(drawn(text), 'run npm run diagrams').toBe(text);
  });

  it('says of every term of the glossary where its code begins, in the order of the alphabet', () => {
    const rows = [...page('docs/glossary.md').matchAll(/^\| ([^|]+) \| [^|]+ \| `(\w+)` in `([^`]+)` \|$/gm)];
    const terms = rows.map(([, term = '']) => term);
    expect(terms.length).toBeGreaterThan(40);
    expect(terms).toEqual(sorted(terms));
    const gone = rows.filter(([, , name = '', path = '']) => !new RegExp(`\\b${name}\\b`).test(source(path)));
    expect(gone.map(([row]) => row)).toEqual([]);
  });

  it('names every operation of the API, and no other', () => {
    const routes = operationsIn(publicOperations);
    const listed = allMatches(section(page('docs/operations-of-the-api.md'), 'Operations'), /^\| `([A-Z]+ \/[^`]*)`/gm);
    expect(routes.length).toBeGreaterThan(50);
    expect(sorted(listed)).toEqual(sorted(routes));
  });

  it('names every operation of people alone, and no other', () => {
    const everybodys = new Set(operationsIn(publicOperations));
    const routes = operationsOfTheDashboard().filter((route) => !everybodys.has(route));
    const listed = allMatches(section(page('docs/dashboard.md'), 'Operations'), /`([A-Z]+ \/[^`]*)`/g);
    expect(routes.length).toBeGreaterThan(80);
    expect(sorted(listed)).toEqual(sorted(routes));
  });

  it('names every setting, and no other', () => {
    const settings = allMatches(source('src/config.ts'), /^ {2}([A-Z][A-Z_]+): '/gm);
    const listed = allMatches(section(page('docs/settings.md'), 'Settings'), /^\| `([A-Z_]+)`/gm);
    expect(settings.length).toBeGreaterThan(10);
    expect(sorted(listed)).toEqual(sorted(settings));
  });

  it('explains every error code with its HTTP status, and no code that is gone', () => {
    const codes = codesInSource();
    expect(sorted(Object.keys(ERROR_CODES))).toEqual(sorted(codes.keys()));
    const wrong = Object.entries(ERROR_CODES).filter(([code, { status }]) => {
      const known = codes.get(code);
      // The one refusal whose status its class does not say.
      return status !== null && known !== undefined && known !== status && code !== 'METHOD_NOT_ALLOWED';
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['Transactions', transactionStates],
    ['Batches', batchStates],
    ['Approvals', approvalStates],
    ['Beneficiaries', beneficiaryStates],
    ['Outcome proposals', proposalStates],
    ['Manual credits', manualCreditStates],
    ['Webhook addresses', endpointStates],
    ['Account numbers at providers', virtualAccountStates],
    ['Payments in', inboundStates],
    ['Disputes', disputeStates],
    ['Proposals about payments in suspense', suspenseProposalStates],
    ['Payment sessions', paymentSessionStates],
    ['Payment links', paymentLinkStates],
    ['Refunds', refundStates],
    ['Payments to refund', paymentToRefundStates],
  ])('draws the states of %s as the code has them', (heading, machine) => {
    const drawn = allMatches(section(page('docs/states.md'), heading), /^ {4}([A-Z_]+) --> ([A-Z_]+)$/gm);
    const transitions: Record<string, readonly string[]> = machine.transitions;
    const table = Object.entries(transitions).flatMap(([from, tos]) => tos.map((to) => `${from} ${to}`));
    expect(sorted(drawn)).toEqual(sorted(table));
    const listed = allMatches(section(page('docs/states.md'), heading), /^\| `([A-Z_]+)` \| (?:yes|no) \|/gm);
    expect(sorted(listed)).toEqual(sorted(Object.keys(transitions)));
  });

  it.each([
    ['Transactions', isTransactionConclusive],
    ['Approvals', finalIn(approvalStates)],
    ['Beneficiaries', finalIn(beneficiaryStates)],
    ['Account numbers at providers', finalIn(virtualAccountStates)],
    ['Payments in', isPaymentConclusive],
    ['Disputes', isEnded],
    ['Payment sessions', isSessionConclusive],
    ['Refunds', isRefundConclusive],
    ['Payments to refund', finalIn(paymentToRefundStates)],
  ])(
    'calls those states of %s conclusive that their records do',
    (heading, isConclusive: (status: never) => boolean) => {
      const listed = [...section(page('docs/states.md'), heading).matchAll(/^\| `([A-Z_]+)` \| (yes|no) \|/gm)];
      expect(listed.length).toBeGreaterThan(2);
      for (const [, status, word] of listed)
        expect([status, isConclusive(status as never)]).toEqual([status, word === 'yes']);
    },
  );

  it('lists every check of verify and every code of a transfer', () => {
    const checks = allMatches(section(page('docs/ledger.md'), 'The proof'), /^\| `([a-z-]+)` \|/gm);
    expect(checks.toSorted(), 'each once').toEqual(sorted(CHECKS.map(({ name }) => name)));
    const union = source('src/ledger/movement.ts').split('export type TransferCode =')[1]?.split(';')[0] ?? '';
    const posted = allMatches(
      section(page('docs/ledger.md'), 'What each operation posts'),
      /\| `([A-Z_]+)` \| `(?:POSTED|PENDING)`/g,
    );
    expect(sorted(posted)).toEqual(sorted(allMatches(union, /'([A-Z_]+)'/g)));
  });

  it('names every event that merchants are told, once, and no other', () => {
    const tables = src.flatMap(({ text }) =>
      allMatches(text, /(?:: EventTypes|const WEBHOOK_EVENTS: .*) = \{\n([\s\S]*?)\n\};/g),
    );
    const declared = tables.flatMap((table) => allMatches(table, /^ {2}'([a-z_]+\.[a-z_]+)': /gm));
    const listed = allMatches(section(page('docs/webhooks.md'), 'The events'), /^\| `([a-z_.]+)` \|/gm);
    expect(declared.length).toBeGreaterThan(20);
    expect(listed.toSorted()).toEqual(sorted(declared));
  });

  it('explains every job that may fail', () => {
    const jobs = src.flatMap(({ text }) =>
      allMatches(text, /(?:failuresOf\(|UNRECORDED = |^ +job: |: DueJob = \{\s+name: )'([a-z.-]+)'/gm),
    );
    const table = section(page('docs/operations.md'), 'Health and metrics').split('### Jobs that fail')[1] ?? '';
    const listed = new Set(allMatches(table, /`([a-z.-]+)`/g));
    expect(jobs.length).toBeGreaterThan(20);
    expect(jobs.filter((job) => !listed.has(job))).toEqual([]);
  });

  it('names every metric, and no other', () => {
    const metrics = allMatches(source('src/platform/metrics.ts'), /(?:name: |watch\()'([a-z_]+)'/g);
    const table = section(page('docs/operations.md'), 'Health and metrics').split('\n| worth')[0] ?? '';
    expect(metrics.length).toBeGreaterThan(8);
    expect(sorted(allMatches(table, /^\| `([a-z_]+)` \|/gm))).toEqual(sorted(metrics));
  });

  it('has expressions for alarms of metrics and labels that there are', () => {
    const code = source('src/platform/metrics.ts');
    const metrics = allMatches(code, /(?:name: |watch\()'([a-z_]+)'/g);
    const text = page('docs/operations.md').split('```promql\n')[1]?.split('```')[0] ?? '';
    const lines = text.split('\n').filter((line) => !line.startsWith('#'));
    const named = allMatches(lines.join('\n'), /\b([a-z]+(?:_[a-z0-9]+)+)\b(?=[[{ )])(?!\()/g);
    const known = (name: string) =>
      /^(probe_success|nodejs_eventloop_lag_p99_seconds)$/.test(name) || metrics.includes(name.replace(/_count$/, ''));
    expect(sorted(named).length).toBeGreaterThan(8);
    expect(named.filter((name) => !known(name))).toEqual([]);
    const labels = allMatches(lines.join('\n'), /\{([a-z_]+)[!=]/g).filter((label) => label !== 'job');
    expect(labels.filter((label) => !code.includes(`'${label}'`))).toEqual([]);
  });

  it('names every alarm about money', () => {
    const codes = Object.keys(ERROR_CODES).filter((code) => code.endsWith('_ALTERED'));
    const alarms = src.flatMap(({ text }) => allMatches(text, /alarm: '([A-Z_]+)'/g));
    const kinds = src.flatMap(({ text }) => allMatches(text, /alarm: `([A-Z]+_)\$/g).map((begins) => `${begins}…`));
    const named = new Set(allMatches(operatorsPages(), /`([A-Z_]+…?)`/g));
    expect([alarms.length > 5, kinds.length > 1, codes.length > 4]).toEqual([true, true, true]);
    expect([...alarms, ...kinds, ...codes].filter((alarm) => !named.has(alarm))).toEqual([]);
  });

  it('names every line of the log that is worth an alarm, and no line that is never written', () => {
    const words = wordsOfTheLog();
    const text = page('docs/operations.md');
    const table = section(text, 'Health and metrics').split('| worth an alarm |')[1]?.split('| worth a look')[0] ?? '';
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter((each) => !operatorsPages().includes(`\`${each}\``))).toEqual([]);
    const listed = allMatches(table.replaceAll(/ \|[^|]*\|$/gm, ''), /`([a-z][^`]*)`/g);
    expect(listed.filter((each) => !src.some((file) => file.text.includes(each)))).toEqual([]);
  });

  it('names every command of the operator', () => {
    const commands = allMatches(adminHelp([]), /^ {2}([a-z-]+) {2}/gm);
    expect(commands.length).toBeGreaterThan(30);
    const named = new Set(allMatches(operatorsPages(), /`([a-z-]+)`/g));
    expect(commands.filter((command) => !named.has(command))).toEqual([]);
  });

  it('names the files above all modules as the order of the imports has them', () => {
    const order = readFileSync(join(ROOT, '.dependency-cruiser.cjs'), 'utf8');
    const [top = ''] = allMatches(order, /const TOP =\s+'\^src\/\(([a-z|-]+)\)/g);
    const [, modules = ''] = page('CONTRIBUTING.md').split('lowest first:\n');
    const named = allMatches(modules.split('```')[1] ?? '', /\b([a-z-]+)\.ts\b/g);
    expect(named.toSorted()).toEqual(sorted(top.split('|')));
  });

  it('names no file of the code that is gone', () => {
    const folders = ['src', 'test', 'scripts', 'bench', 'dashboard/src'];
    const paths = folders.flatMap((folder) => ['.ts', '.tsx'].flatMap((end) => filesIn(folder, end))).map(pathOf);
    const isThere = (name: string) =>
      EXAMPLES.has(name) || existsSync(join(ROOT, name)) || paths.some((path) => `/${path}`.endsWith(`/${name}`));
    // The changelog says what was.
    const named = pages
      .filter(({ path }) => path !== 'CHANGELOG.md')
      .flatMap(({ path, text }) => allMatches(text, /`([a-z][\w./-]*\.tsx?)`/g).map((name) => ({ path, name })));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
  });

  it('links to nothing that is not there', () => {
    const dead = pages.flatMap(({ path, text }) =>
      allMatches(text, /\]\(([^)#\s]+)(?:#[^)]*)?\)/g)
        .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(ROOT, dirname(path), target)))
        .map((target) => `${path} -> ${target}`),
    );
    expect(dead).toEqual([]);
  });
});
