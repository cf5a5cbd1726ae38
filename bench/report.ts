import type { BooksReport } from './books.ts';
import type { Claim, Finding, Results } from './claims.ts';
import type { Machine } from './machine.ts';
import { medianOf, type Run } from './run.ts';

export interface Report {
  machine: Machine;
  /** Seconds and rounds of a load. */
  measured: { rounds: number; runSeconds: number; warmUpSeconds: number; quick: boolean };
  claims: (Omit<Claim, 'judge'> & Finding)[];
  runs: Record<string, readonly Run[]>;
  books: BooksReport[];
}

export function makeReport(
  parts: Pick<Report, 'machine' | 'measured' | 'books'>,
  claims: readonly Claim[],
  results: Results,
): Report {
  return {
    ...parts,
    claims: claims.map(({ judge, ...claim }) => ({ ...claim, ...judge(results) })),
    runs: Object.fromEntries(results),
  };
}

export function formatReport({ machine, measured, claims, runs, books }: Report): string {
  const settings = Object.entries(machine.settings).map(([name, value]) => `${name} ${value}`);
  const rounds = `${measured.rounds} runs of ${measured.runSeconds} s by turns after ${measured.warmUpSeconds} s of warm-up`;
  return [
    `${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ${machine.system}, load before ${machine.loadBefore}`,
    `Node ${machine.node}, PostgreSQL ${machine.postgres}, load by ${machine.generator} on the same machine`,
    settings.join(', '),
    `Each load: ${rounds}; the median counts.`,
    ...(measured.quick ? ['Quick: shows that the bench works. The figures mean nothing.'] : []),
    '',
    table([
      ['load', 'measured', 'against', 'ratio', 'target', ''],
      ...claims.map(({ sentence, measured: found, against, ratio, target, ok }) => [
        sentence,
        found,
        against,
        ratio === undefined ? '' : ratio.toFixed(2),
        target,
        ok === undefined ? 'not compared' : ok ? 'ok' : 'SHORT',
      ]),
    ]),
    '',
    table([
      [
        'run',
        'median a second',
        'from',
        'to',
        'p50 ms',
        'p99 ms',
        'service CPU µs',
        'database CPU µs',
        'generator CPU µs',
        'together',
      ],
      ...Object.entries(runs).map(([name, list]) => runLine(name, list)),
    ]),
    '',
    ...books.map(booksLine),
    '',
  ].join('\n');
}

function runLine(name: string, runs: readonly Run[]): string[] {
  const rates = runs.map(({ rate }) => rate);
  const figure = (value: number, digits: number) =>
    Number.isFinite(value)
      ? value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })
      : '-';
  return [
    name,
    figure(medianOf(runs, 'rate'), 0),
    figure(Math.min(...rates), 0),
    figure(Math.max(...rates), 0),
    figure(medianOf(runs, 'p50Ms'), 2),
    figure(medianOf(runs, 'p99Ms'), 2),
    figure(medianOf(runs, 'serviceCpuUs'), 0),
    figure(medianOf(runs, 'databaseCpuUs'), 0),
    figure(medianOf(runs, 'generatorCpuUs'), 0),
    figure(medianOf(runs.map(togetherOf), 'serviceCpuUs'), 0),
  ];
}

/** All processor time of an operation: what the machine has to give for it, whoever spends it. */
function togetherOf({ rate, serviceCpuUs, databaseCpuUs, generatorCpuUs }: Run): Run {
  return { rate, serviceCpuUs: (serviceCpuUs ?? 0) + (databaseCpuUs ?? Number.NaN) + (generatorCpuUs ?? 0) };
}

function booksLine({ database, acknowledged, cutOff, inBooks, problems }: BooksReport): string {
  const counted = (count: number) => count.toLocaleString('en-GB');
  const late = cutOff === 0 ? '' : `, at most ${counted(cutOff)} more cut off before their answer`;
  const verdict = problems.length === 0 ? 'the books are right' : `BROKEN: ${problems.join('; ')}`;
  return `Books of ${database}: ${counted(acknowledged)} acknowledged${late}, ${counted(inBooks)} in the books: ${verdict}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
