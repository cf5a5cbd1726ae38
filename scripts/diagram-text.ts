import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What the money passes, in its order: each step with its files. An arrow stands for an import between two steps. */
const STEPS: readonly { id: string; says: string; files: readonly string[] }[] = [
  { id: 'guard', says: 'Guard: who calls, scope, idempotency key, PIN', files: ['src/access/api-route.ts'] },
  { id: 'stores', says: 'Stores and subaccounts: debit, credit', files: ['src/stores', 'src/subaccounts'] },
  { id: 'payouts', says: 'Payouts: single, scheduled; holds', files: ['src/payouts'] },
  { id: 'files', says: 'Batch files: CSV, XLSX, JSON', files: ['src/batch-files'] },
  { id: 'batches', says: 'Batches: validate, dispatch, expand', files: ['src/batches'] },
  { id: 'approvals', says: 'Approvals: cleared, or held', files: ['src/approvals'] },
  { id: 'delivery', says: 'Delivery: lease, call the rail, apply the outcome', files: ['src/payout-delivery'] },
  { id: 'outcomes', says: 'Outcomes: decided by two people', files: ['src/outcomes'] },
  { id: 'reconciliation', says: 'Reconciliation: files of the rail', files: ['src/reconciliation'] },
  { id: 'numbers', says: 'Virtual accounts: account numbers at a provider', files: ['src/virtual-accounts'] },
  { id: 'collections', says: 'Collections: hint, ask the provider, note the owner', files: ['src/collections'] },
  { id: 'rails', says: 'Rails: banks and providers', files: ['src/rails'] },
  { id: 'ledger', says: 'Ledger: decide and commit movements', files: ['src/ledger'] },
];
/** Everybody uses them: an arrow to each would say nothing. */
const COMMON: ReadonlySet<string> = new Set(['platform', 'money']);

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The page with both drawings made anew between their marks. */
export function drawn(page: string): string {
  const imports = readImports();
  return between(between(page, 'money', moneyOf(imports)), 'modules', modulesOf(imports));
}

function between(page: string, name: string, drawing: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${begin} and ${end}`);
  return `${before}${begin}\n\n\`\`\`mermaid\n${drawing}\n\`\`\`\n\n${end}${after}`;
}

/** Files of src/ and what each imports. */
function readImports(): Graph {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).sort();
  const imports = (file: string) =>
    ts
      .preProcessFile(readFileSync(join(ROOT, file), 'utf8'))
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => relative(ROOT, join(ROOT, dirname(file), fileName)));
  return new Map(files.map((file) => [file, new Set(imports(file))]));
}

function moneyOf(imports: Graph): string {
  const stepOf = (file: string) => STEPS.find(({ files }) => files.some((path) => file.startsWith(path)))?.id;
  const graph = reduced(gathered(imports, stepOf));
  return ['flowchart TD', ...STEPS.map(({ id, says }) => `  ${id}["${says}"]`), ...arrows(graph)].join('\n');
}

function modulesOf(imports: Graph): string {
  const moduleOf = (file: string) => {
    const [, name, inside] = file.split('/');
    return inside === undefined || COMMON.has(name as string) ? undefined : name;
  };
  return ['flowchart TD', ...arrows(reduced(gathered(imports, moduleOf)))].join('\n');
}

/** The graph of what the files belong to. */
function gathered(imports: Graph, nameOf: (file: string) => string | undefined): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const from = nameOf(file);
    if (from === undefined) continue;
    const known = graph.get(from) ?? new Set();
    graph.set(from, known);
    for (const target of targets) {
      const to = nameOf(target);
      if (to !== undefined && to !== from) known.add(to);
    }
  }
  return graph;
}

/** Without the arrows that follow from others: `a → c` where there is `a → b → c`. The graph has no cycles. */
function reduced(graph: Graph): Graph {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const kept = (targets: ReadonlySet<string>) =>
    new Set([...targets].filter((to) => ![...targets].some((other) => other !== to && reaches(other, to))));
  return new Map(Array.from(graph, ([from, targets]) => [from, kept(targets)]));
}

function arrows(graph: Graph): string[] {
  return Array.from(graph, ([from, targets]) => [...targets].sort().map((to) => `  ${from} --> ${to}`))
    .flat()
    .sort();
}
