import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { INERT } from '../platform/spreadsheet/write-csv.ts';
import { manyOf } from '../platform/text.ts';
import { createSandboxRail } from '../rails/index.ts';
import {
  exportSandboxSettlement,
  floatLines,
  importSettlement,
  LINE_RESULTS,
  type LineResult,
  lineRecord,
  readLines,
  readSettlements,
  reconcileFloat,
  resolveLine,
  resolveLines,
  type SettlementSummary,
} from '../reconciliation/index.ts';
import {
  type AdminDeps,
  type Command,
  EMAIL,
  fileOf,
  type Given,
  MERCHANT,
  MODE,
  modeOf,
  oneOf,
  PAGE_OPTIONS,
  pageOf,
  signIn,
  UsageError,
  warnOfRest,
} from './command.ts';

const IMPORT = { type: 'string', about: 'id of the import, as list-settlements shows it', required: true } as const;
const ONE_MERCHANT = { type: 'string', about: 'id of one merchant; the sandbox rail keeps each apart' } as const;
const RESULT = { type: 'string', about: `only lines with this result: ${LINE_RESULTS.join(', ')}` } as const;

/** Files among which the one that was just imported is looked for. */
const NEWEST = 1_000;
/** Lines written at once. */
const PIECE = 1_000;

const importCommand: Command = {
  name: 'import-settlement',
  about: 'compare a settlement or statement file of a rail (CSV) with our books, and settle what agrees',
  options: {
    rail: { type: 'string', about: 'name of the rail account', required: true },
    mode: MODE,
    file: { type: 'string', about: 'path of the file', required: true },
    merchant: ONE_MERCHANT,
    kobo: { type: 'boolean', about: 'a plain amount column counts kobo, not naira' },
  },
  async run(deps, options) {
    const { fileName, open } = await fileOf(options);
    const id = await importSettlement(deps.payouts(), {
      rail: options.text('rail'),
      mode: modeOf(options.text('mode')),
      merchantId: options.maybeId('merchant') ?? null,
      fileName,
      open,
      amountsInKobo: options.flag('kobo'),
      importedBy: deps.actor,
    });
    const { rows } = await readSettlements(deps.database, {}, { page: 1, size: NEWEST });
    const summary = rows.find(({ settlement }) => settlement.id === id);
    if (summary === undefined) throw new Error('an import is gone');
    deps.print(id);
    for (const result of LINE_RESULTS) deps.print(`${result}\t${summary.counts[result]}`);
    if (summary.unresolved > 0)
      deps.warn(`${manyOf(summary.unresolved, 'line differs', 'lines differ')}: see show-settlement.`);
  },
};

const list: Command = {
  name: 'list-settlements',
  about: 'the files that were imported, newest first, and how many lines of each nobody has resolved',
  options: PAGE_OPTIONS,
  async run(deps, options) {
    const found = await readSettlements(deps.database, {}, pageOf(options));
    for (const summary of found.rows) deps.print(summaryLine(summary));
    warnOfRest(deps, found, 'No file was imported yet.');
  },
};

function summaryLine({ settlement, counts, unresolved }: SettlementSummary): string {
  const found = LINE_RESULTS.filter((result) => counts[result] > 0).map((result) => `${result} ${counts[result]}`);
  const period = [settlement.period_from, settlement.period_to].map((time) => time?.toISOString() ?? '?').join(' to ');
  return [
    settlement.id,
    settlement.rail,
    settlement.mode,
    settlement.status,
    settlement.file_name,
    period,
    `${settlement.line_count} lines`,
    found.join(', '),
    `${unresolved} unresolved`,
  ].join('\t');
}

const show: Command = {
  name: 'show-settlement',
  audit: 'PERSONAL_DATA',
  about: 'the lines of an import with what came of each, as CSV',
  options: { import: IMPORT, result: RESULT },
  async run(deps, options) {
    let header = true;
    let piece: Record<string, string>[] = [];
    const write = () => {
      // One line break is the printer's.
      if (piece.length > 0) deps.print(stringify(piece, { header, ...INERT }).trimEnd());
      header = false;
      piece = [];
    };
    for await (const line of readLines(deps.database, options.id('import'), maybeResult(options))) {
      piece.push(lineRecord(line));
      if (piece.length === PIECE) write();
    }
    write();
  },
};

const maybeResult = (options: Given): LineResult | null =>
  options.maybe('result') === undefined ? null : oneOf(options, 'result', LINE_RESULTS);

const HOW = ['APPLY', 'ACCEPT'] as const;

const resolve: Command = {
  name: 'resolve-settlement-line',
  about: 'apply what the rail says to an open payout or a late reversal, or accept a difference with a note',
  options: {
    import: IMPORT,
    line: { type: 'string', about: 'id of the line; or give --result for all of one result' },
    result: RESULT,
    how: { type: 'string', about: HOW.join(' or '), required: true },
    note: { type: 'string', about: 'what you found out; needed to accept' },
    email: EMAIL,
  },
  async run(deps, options) {
    const importId = options.id('import');
    const how = oneOf(options, 'how', HOW);
    const result = maybeResult(options);
    const one = options.maybeId('line');
    if ((one === undefined) === (result === null)) throw new UsageError('Give either --line or --result.');
    const { personId } = await signIn(deps, options);
    const resolution = { importId, how, note: options.maybe('note') ?? null, personId };
    if (result !== null) return resolveAll(deps, result, resolution);
    await resolveLine(deps.payouts(), { ...resolution, lineId: one ?? '' });
    deps.print('resolved');
  },
};

async function resolveAll(
  deps: AdminDeps,
  result: LineResult,
  resolution: Omit<Parameters<typeof resolveLine>[1], 'lineId'>,
): Promise<void> {
  let resolved = 0;
  for await (const { lineId, lineNumber, refused } of resolveLines(deps.payouts(), result, resolution)) {
    if (refused === undefined) resolved += 1;
    else deps.warn(`line ${lineNumber ?? ''} ${lineId}: ${refused.message} (${refused.code})`);
  }
  deps.print(`resolved\t${resolved}`);
}

const float: Command = {
  name: 'reconcile-float',
  about: "compare the rails' balance with our books, and keep the result",
  options: {
    rail: {
      type: 'string',
      about: 'name of a rail account; all that pay in this mode',
      required: true,
      multiple: true,
    },
    mode: MODE,
    merchant: ONE_MERCHANT,
  },
  async run(deps, options) {
    const { check, before } = await reconcileFloat(deps.payouts(), {
      rails: options.list('rail') ?? [],
      mode: modeOf(options.text('mode')),
      merchantId: options.maybeId('merchant') ?? null,
      checkedBy: deps.actor,
    });
    for (const line of floatLines(check, before)) deps.print(line);
  },
};

const exportSandbox: Command = {
  name: 'export-sandbox-settlement',
  about: "write the sandbox rail's own books of a merchant as a settlement file, to try reconciliation with",
  options: {
    merchant: MERCHANT,
    from: { type: 'string', about: 'first moment or day, 2026-11-20', required: true },
    to: { type: 'string', about: 'last moment or day', required: true },
    file: { type: 'string', about: 'path of the file to write', required: true },
  },
  async run(deps, options) {
    const tenant = { merchantId: options.id('merchant'), mode: 'SANDBOX' } as const;
    const period = {
      from: momentOf(options, 'from', 'T00:00:00+01:00'),
      to: momentOf(options, 'to', 'T23:59:59.999+01:00'),
    };
    const pieces = exportSandboxSettlement(createSandboxRail(deps), tenant, period);
    await pipeline(Readable.from(pieces), createWriteStream(options.text('file')));
    deps.print(options.text('file'));
  },
};

/** A bare day is one in Lagos. */
function momentOf(options: Given, name: string, timeOfDay: string): Date {
  const text = options.text(name);
  const moment = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}${timeOfDay}` : text);
  if (Number.isNaN(moment.getTime())) throw new UsageError(`--${name} must be a day such as 2026-11-20.`);
  return moment;
}

export const reconciliationCommands: readonly Command[] = [importCommand, list, show, resolve, float, exportSandbox];
