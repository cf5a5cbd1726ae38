import { stringify } from 'csv-stringify/sync';
import { DEFAULT_CURRENCY, formatMoney, parseTypedAmount } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';
import { INERT } from '../platform/spreadsheet/write-csv.ts';
import { manyOf } from '../platform/text.ts';
import {
  acceptProviderLine,
  applyProviderSettlement,
  discardProviderSettlement,
  everyProviderLine,
  importProviderSettlement,
  PROVIDER_LINE_RESULTS,
  type ProviderSettlementDeps,
  type ProviderSettlementSummary,
  providerLineRecord,
  readCutOff,
  readProviderSettlement,
  readProviderSettlements,
} from '../provider-settlements/index.ts';
import {
  type AdminDeps,
  type Command,
  dayOf,
  EMAIL,
  fileOf,
  type Given,
  MODE,
  modeOf,
  oneOf,
  PAGE_OPTIONS,
  pageOf,
  signIn,
  UsageError,
  warnOfRest,
} from './command.ts';

const SETTLEMENT = {
  type: 'string',
  about: 'id of the settlement, as list-provider-settlements shows it',
  required: true,
} as const;
const RESULT = { type: 'string', about: `only lines with this result: ${PROVIDER_LINE_RESULTS.join(', ')}` } as const;

/** Lines written, or posted, at once. */
const PIECE = 1_000;

const depsOf = (deps: AdminDeps): ProviderSettlementDeps => deps.collections();

const importCommand: Command = {
  name: 'import-provider-settlement',
  about:
    'record what a provider settled of money in: a lump sum and a file (CSV) of the payments in it; nothing is posted',
  options: {
    rail: { type: 'string', about: 'name of the provider account', required: true },
    mode: MODE,
    reference: { type: 'string', about: "the provider's own, of this settlement", required: true },
    'lump-sum': { type: 'string', about: 'naira that arrived', required: true },
    'settled-on': { type: 'string', about: 'the day on which it did, 2026-11-20', required: true },
    'cut-off': {
      type: 'string',
      about: 'a day that is over, or a moment: payments that were confirmed before have to be in the file',
    },
    file: { type: 'string', about: 'path of the file', required: true },
    kobo: { type: 'boolean', about: 'plain amount columns count kobo, not naira' },
  },
  async run(deps, options) {
    const { fileName, open } = await fileOf(options);
    const id = await importProviderSettlement(depsOf(deps), {
      rail: options.text('rail'),
      mode: modeOf(options.text('mode')),
      reference: options.text('reference'),
      lumpMinor: lumpOf(options),
      settledOn: dayOf(options, 'settled-on'),
      cutOff: cutOffOf(options),
      fileName,
      open,
      amountsInKobo: options.flag('kobo'),
      importedBy: deps.actor,
    });
    deps.print(id);
    printSums(deps, await readProviderSettlement(deps.database, id));
    deps.warn('Nothing is posted. Another person applies it with apply-provider-settlement.');
  },
};

export function lumpOf(options: Given): bigint {
  try {
    return parseTypedAmount(options.text('lump-sum'), '--lump-sum');
  } catch (error) {
    throw error instanceof AppError ? new UsageError(error.message) : error;
  }
}

function cutOffOf(options: Given): Date | null {
  const text = options.maybe('cut-off');
  if (text === undefined) return null;
  const cutOff = readCutOff(text);
  if (cutOff === null) throw new UsageError('--cut-off must be a day such as 2026-11-20, or a date and time.');
  return cutOff;
}

const money = (minor: bigint) => formatMoney(minor, DEFAULT_CURRENCY);

function printSums(deps: AdminDeps, row: ProviderSettlementSummary): void {
  for (const result of PROVIDER_LINE_RESULTS) {
    if (row.counts[result] > 0) deps.print(`${result}\t${row.counts[result]}`);
  }
  const { gross_minor, fee_minor, net_minor, lump_minor } = row;
  deps.print(`lines come to\t${money(net_minor)}\t= gross ${money(gross_minor)} less fees of ${money(fee_minor)}`);
  deps.print(`settled was\t${money(lump_minor)}`);
  deps.print(`difference\t${money(lump_minor - net_minor)}`);
  if (row.unresolved > 0)
    deps.warn(`${manyOf(row.unresolved, 'line differs', 'lines differ')}: see show-provider-settlement.`);
}

const list: Command = {
  name: 'list-provider-settlements',
  about: 'what providers settled of money in, as it was recorded, newest first',
  options: PAGE_OPTIONS,
  async run(deps, options) {
    const found = await readProviderSettlements(deps.database, {}, pageOf(options));
    for (const row of found.rows) deps.print(lineOf(row));
    warnOfRest(deps, found, 'Nothing was recorded yet.');
  },
};

function lineOf(row: ProviderSettlementSummary): string {
  const found = PROVIDER_LINE_RESULTS.filter((result) => row.counts[result] > 0);
  return [
    row.id,
    row.rail,
    row.mode,
    row.reference,
    row.status,
    row.settled_on,
    money(row.lump_minor),
    `difference ${money(row.lump_minor - row.net_minor)}`,
    found.map((result) => `${result} ${row.counts[result]}`).join(', '),
    `${row.posted} posted`,
    `${row.unresolved} unresolved`,
  ].join('\t');
}

const show: Command = {
  name: 'show-provider-settlement',
  audit: 'PERSONAL_DATA',
  about: 'the lines of a settlement with what came of each, as CSV',
  options: { settlement: SETTLEMENT, result: RESULT },
  async run(deps, options) {
    const result = options.maybe('result') === undefined ? null : oneOf(options, 'result', PROVIDER_LINE_RESULTS);
    let header = true;
    let piece: Record<string, string>[] = [];
    const write = () => {
      // One line break is the printer's.
      if (piece.length > 0) deps.print(stringify(piece, { header, ...INERT }).trimEnd());
      header = false;
      piece = [];
    };
    for await (const line of everyProviderLine(deps.database, options.id('settlement'), result)) {
      piece.push(providerLineRecord(line));
      if (piece.length === PIECE) write();
    }
    write();
  },
};

const apply: Command = {
  name: 'apply-provider-settlement',
  about: 'post the lines of a settlement that agree; by another than who imported it',
  options: {
    settlement: SETTLEMENT,
    note: { type: 'string', about: 'why it is applied although its lines do not come to the lump sum' },
    email: EMAIL,
  },
  async run(deps, options) {
    const { personId } = await signIn(deps, options);
    const settlementId = options.id('settlement');
    const note = options.maybe('note') ?? null;
    let posted = 0;
    for (let isDone = false; !isDone; ) {
      const part = await applyProviderSettlement(depsOf(deps), { settlementId, personId, note, limit: PIECE });
      posted += part.posted;
      isDone = part.isDone;
    }
    deps.print(`posted\t${posted}`);
  },
};

const discard: Command = {
  name: 'discard-provider-settlement',
  about: 'say that a file is not to be applied: nothing of it is posted, and it may be imported anew',
  options: { settlement: SETTLEMENT, reason: { type: 'string', about: 'why', required: true }, email: EMAIL },
  async run(deps, options) {
    const { personId } = await signIn(deps, options);
    const given = { settlementId: options.id('settlement'), reason: options.words('reason'), personId };
    await discardProviderSettlement(depsOf(deps), given);
    deps.print('discarded');
  },
};

const accept: Command = {
  name: 'accept-provider-settlement-line',
  about: 'note what was found out about a line that differs; nothing moves',
  options: {
    settlement: SETTLEMENT,
    line: { type: 'string', about: 'id of the line', required: true },
    note: { type: 'string', about: 'what you found out', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const { personId } = await signIn(deps, options);
    const given = { settlementId: options.id('settlement'), lineId: options.id('line'), note: options.words('note') };
    await acceptProviderLine(depsOf(deps), { ...given, personId });
    deps.print('accepted');
  },
};

export const providerSettlementCommands: readonly Command[] = [importCommand, list, show, apply, discard, accept];
