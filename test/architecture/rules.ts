import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A file as the rules see it: its path from the root with forward slashes, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Each rule answers with one sentence per place that breaks it; none where all is in order. */
export type Rule = (files: readonly SourceFile[]) => string[];

const ROOT = join(import.meta.dirname, '../..');

export function filesIn(folder: string, ending: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({ path: relative(ROOT, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

/** The pages beside the folders. The changelog is not among them: it has the old words, to say what became of them. */
export const rootPages = (): SourceFile[] =>
  ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));

/**
 * Words and turns of our own that the field has other words for: see docs/glossary.md. In order and in lower case, as the
 * parts of a name are compared: `payoutHouse` has "house", `UPLOAD_GIVEN_UP` "given up".
 */
const BANNED: readonly (readonly [banned: readonly string[], better: string])[] = [
  [['house', 'houses'], 'container, service, organization or fixture'],
  [['doors'], 'routes'],
  [['chore', 'chores'], 'scheduled job'],
  [['deed', 'deeds'], 'action'],
  [['doer'], 'actor'],
  [['mend', 'mends', 'mended', 'mending'], 'correct, update'],
  [['told', 'untold', 'telling'], 'notified, delivered, sent, reported'],
  [['tries', 'last tried', 'sign in try'], 'attempts'],
  [['claim', 'claims', 'claimed', 'claiming'], 'unique key, or lease'],
  [['allowance', 'allowances'], 'limit usage, or quota'],
  [['fresh'], 'new, or step-up'],
  [['lane', 'lanes'], 'queue, committer'],
  [['standing'], 'health, priority, state'],
  [['give back', 'gives back', 'gave back', 'given back', 'giving back'], 'release, return'],
  [['gives it back', 'give it back', 'gave it back', 'giving it back'], 'release, return'],
  [['give up', 'gives up', 'gave up', 'given up', 'giving up'], 'abandon'],
  [['take over', 'takes over', 'took over', 'taken over', 'taking over', 'takeover'], 'fail over, lease'],
  [['rail s word', 'bank s word', 'word of the rail', 'word of a rail', 'last words'], 'provider response'],
  [['half session', 'whole session'], 'MFA pending, full'],
  [['open a chunk', 'opens a chunk', 'opened chunk', 'chunk opened', 'open chunk', 'chunk is opened'], 'expand'],
  [['content mark', 'dedupe mark', 'rules mark', 'find marks'], 'dedupe key, reservation, hash'],
  [['notices delivered', 'next notice', 'provider notice', 'rail notice'], 'provider webhook'],
];

/** Where the word is somebody else's: an option of a library, the claims of a JSON Web Token. */
const THEIRS: Readonly<Record<string, readonly string[]>> = {
  'src/access/token.ts': ['claims'],
  'src/webhooks/guarded-connect.ts': ['tries'],
};

const wordsOf = (text: string) =>
  ` ${text
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()} `;

/** Nearly every file has none: they are looked for one by one only where one is. */
const ANY_BANNED = new RegExp(` (?:${BANNED.flatMap(([turns]) => turns).join('|')}) `);

/** In names, comments, texts, SQL and pages. A turn may go on in the next line. */
export const wordsAreThoseOfTheField: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    if (!ANY_BANNED.test(wordsOf(text))) return [];
    const lines = text.split('\n').map(wordsOf);
    return lines.flatMap((line, at) => {
      const next = lines[at + 1] ?? ' ';
      return BANNED.flatMap(([turns, better]) =>
        turns
          .filter((turn) => !THEIRS[path]?.includes(turn))
          .filter((turn) => line.includes(` ${turn} `) || startsHere(line, next, ` ${turn} `))
          .map((turn) => `${path}:${at + 1} says "${turn}"; say ${better}`),
      );
    });
  });

const startsHere = (line: string, next: string, turn: string) =>
  `${line.trimEnd()}${next}`.includes(turn) && !next.includes(turn);

/** What the schema alone may not say, where the words have other meanings in prose. */
const BANNED_IN_SQL: readonly (readonly [RegExp, string])[] = [
  [/\bmarks?\b|_mark\b|\bmark_/, 'reservation, dedupe key'],
  [/notices?\b|_notice/, 'provider webhook'],
  [/'(HALF|WHOLE)'/, 'MFA_PENDING, FULL'],
  [/\bwords?_|_words?\b/, 'response'],
];

export const theSchemaHasTheWordsOfTheField: Rule = (files) => [
  ...wordsAreThoseOfTheField(files),
  ...files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) =>
        BANNED_IN_SQL.filter(([pattern]) => pattern.test(line)).map(
          ([pattern, better]) => `${path}:${at + 1} has ${pattern}; say ${better}`,
        ),
      ),
  ),
];

/** `src/stores/queries.ts` belongs to `stores`. */
function moduleOf(path: string): string {
  return path.split('/')[1] ?? path;
}

/** Several rules read the same files: each is parsed once. */
const parsed = new WeakMap<SourceFile, ts.SourceFile>();

function parse(file: SourceFile): ts.SourceFile {
  const tree = parsed.get(file) ?? ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  parsed.set(file, tree);
  return tree;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

interface Text {
  text: string;
  at: string;
}

function place(file: SourceFile, tree: ts.SourceFile, node: ts.Node): string {
  return `${file.path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`;
}

/** The texts of a file: string literals and templates, a substitution standing as `x`. Comments are not among them. */
function textsOf(file: SourceFile): Text[] {
  const tree = parse(file);
  const texts: Text[] = [];
  visit(tree, (node) => {
    if (ts.isStringLiteralLike(node)) texts.push({ text: node.text, at: place(file, tree, node) });
    if (ts.isTemplateExpression(node)) {
      const text = node.head.text + node.templateSpans.map((span) => `x${span.literal.text}`).join('');
      texts.push({ text, at: place(file, tree, node) });
    }
  });
  return texts;
}

interface Call {
  name: string;
  /** The first argument, where it is a plain string. */
  first: string | undefined;
  argumentText: string;
  at: string;
}

function callsIn(file: SourceFile): Call[] {
  const tree = parse(file);
  const calls: Call[] = [];
  visit(tree, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
    const [first] = node.arguments;
    calls.push({
      name: node.expression.text,
      first: first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined,
      argumentText: node.arguments.map((argument) => argument.getText(tree)).join(', '),
      at: place(file, tree, node),
    });
  });
  return calls;
}

const SQL = [
  /^\s*select\s/,
  /\bselect\b[^.]*\sfrom\s+[a-z_(]/,
  /\binsert\s+into\s+[a-z_]/i,
  /\bdelete\s+from\s+[a-z_]/i,
  /\bupdate\s+[a-z_]+(\s+(as\s+)?[a-z_]+)?\s+set\s/i,
  /\b(create|alter|drop|truncate)\s+(table|index|schema|sequence|trigger|function)\s/i,
  /\bpg_[a-z_]*advisory/i,
];

const STATEMENT_MAKERS = new Set(['statement', 'composed', 'setStatement', 'setQuestion', 'setInsert']);

function mayContainSql(path: string): boolean {
  return /[/-]queries\.ts$/.test(path) || path.startsWith('src/ledger/') || path.startsWith('src/platform/db/');
}

export const sqlStandsInQueries: Rule = (files) =>
  files
    .filter((file) => !mayContainSql(file.path))
    .flatMap((file) => [
      ...textsOf(file)
        .filter(({ text }) => SQL.some((pattern) => pattern.test(text)))
        .map(({ at }) => `${at} has SQL outside queries.ts`),
      ...callsIn(file)
        .filter(({ name }) => STATEMENT_MAKERS.has(name))
        .map(({ name, at }) => `${at} calls ${name}() outside queries.ts`),
    ]);

const WRITES = [
  /\binsert\s+into\s+([a-z_][a-z0-9_]*)/gi,
  /\bdelete\s+from\s+([a-z_][a-z0-9_]*)/gi,
  /\bupdate\s+([a-z_][a-z0-9_]*)(?:\s+(?:as\s+)?[a-z_]+)?\s+set\b/gi,
  /\btruncate\s+(?:table\s+)?([a-z_][a-z0-9_]*)/gi,
];

interface TableUse {
  table: string;
  at: string;
  module: string;
}

function writesIn(file: SourceFile): TableUse[] {
  const module = moduleOf(file.path);
  const inText = textsOf(file).flatMap(({ text, at }) =>
    WRITES.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => ({ table: match[1] as string, at, module })),
    ),
  );
  const inserts = callsIn(file)
    .filter(({ name, first }) => name === 'setInsert' && first !== undefined)
    .map(({ first, at }) => ({ table: first as string, at, module }));
  // `${table}` in platform/db stands for whatever its caller names.
  return [...inText, ...inserts].filter(({ table }) => table !== 'x');
}

/** The row of a payout is the queue of its delivery as well, which owns the columns of steps, leases and attempts. */
const SHARED_TABLES: Record<string, readonly string[]> = {
  payouts: ['payouts', 'payout-delivery'],
  payout_attempts: ['payouts', 'payout-delivery'],
};

export const eachTableHasOneWriter: Rule = (files) => {
  const owners = new Map<string, TableUse>();
  const broken: string[] = [];
  for (const use of files.flatMap(writesIn)) {
    const owner = owners.get(use.table) ?? use;
    owners.set(use.table, owner);
    if (SHARED_TABLES[use.table]?.includes(use.module)) continue;
    if (owner.module !== use.module)
      broken.push(`${use.at} writes ${use.table}, which ${owner.module} writes (${owner.at})`);
  }
  return broken;
};

/** The books: nobody else reads them by SQL either, so that their columns can change with the ledger alone. */
const LEDGER_TABLES = [
  ...[
    'books',
    'accounts',
    'transfers',
    'idempotency_keys',
    'events',
    'event_rows',
    'event_templates',
    'unique_keys',
    'state_changes',
  ],
  ...['reservations', 'limit_usage'],
];
const MENTIONS_BOOKS = new RegExp(`\\b(?:from|join|into|update|table)\\s+(${LEDGER_TABLES.join('|')})\\b`, 'i');

export const onlyTheLedgerMentionsItsTables: Rule = (files) =>
  files
    // The proof reads every table, which is its purpose; it writes none.
    .filter((file) => file.path.startsWith('src/') && !/^src\/(ledger|verify)\//.test(file.path))
    .flatMap((file) => [
      ...textsOf(file).map(({ text, at }) => ({ table: MENTIONS_BOOKS.exec(text)?.[1], at })),
      ...writesIn(file).filter(({ table }) => LEDGER_TABLES.includes(table)),
    ])
    .filter(({ table }) => table !== undefined)
    .map(({ table, at }) => `${at} mentions ${table}, a table of the ledger`);

export const statementNamesAreUnique: Rule = (files) => {
  const seen = new Map<string, string>();
  const broken: string[] = [];
  for (const call of files.flatMap(callsIn)) {
    if (!STATEMENT_MAKERS.has(call.name) || call.first === undefined) continue;
    const name = call.name === 'setInsert' ? `insert-${call.first.replaceAll('_', '-')}` : call.first;
    const before = seen.get(name);
    if (before !== undefined) broken.push(`${call.at} uses the statement name ${name} of ${before}`);
    seen.set(name, call.at);
  }
  return broken;
};

/** One place decides how much memory may be used for what is remembered, and by which clock it gets old. */
export const onlyTheCacheModuleRemembers: Rule = (files) =>
  files
    .filter((file) => file.path !== 'src/platform/cache.ts' && /from 'lru-cache'/.test(file.text))
    .map((file) => `${file.path} has a cache of its own`);

/** These ask about one thing that no list with a limit brought. */
const ASK_OF_ONE = /^src\/(platform\/jobs\/|rail-accounts\/rail-directory\.ts$|webhooks\/worker\.ts$)/;

export const listsLeaveOutWhatBacksOff: Rule = (files) =>
  files
    .filter(({ path, text }) => !ASK_OF_ONE.test(path) && text.includes('isBackingOff('))
    .map(({ path }) => `${path} passes over what backs off behind its list: hand backingOffKeys() to the statement`);

const TO_NUMBER = new Set(['Number', 'parseFloat', 'parseInt', 'toNumber', 'toNumberOrNull']);

export const moneyBecomesANumberOnlyInViews: Rule = (files) =>
  files
    .filter(
      (file) =>
        !/[/-]views\.ts$/.test(file.path) &&
        !file.path.endsWith('/downloads.ts') &&
        !file.path.startsWith('src/money/'),
    )
    .flatMap(callsIn)
    .filter(({ name, argumentText }) => TO_NUMBER.has(name) && /minor/i.test(argumentText))
    .map(({ name, at }) => `${at} makes a number of money with ${name}()`);

export const nothingIsAny: Rule = (files) =>
  files.flatMap((file) => {
    const tree = parse(file);
    const broken: string[] = [];
    visit(tree, (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) broken.push(`${place(file, tree, node)} says any`);
    });
    return broken;
  });

const UNFINISHED = /\b(TODO|FIXME|XXX|HACK)\b/;

export const nothingIsUnfinished: Rule = (files) =>
  files.flatMap((file) =>
    file.text.split('\n').flatMap((line, at) => {
      const word = UNFINISHED.exec(line)?.[1];
      return word === undefined ? [] : [`${file.path}:${at + 1} says ${word}`];
    }),
  );

/** From here on a file has more than one subject. */
const MAX_LINES = 400;

export const filesHaveOneSubject: Rule = (files) =>
  files
    .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${MAX_LINES}`);
