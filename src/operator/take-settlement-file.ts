import { parseTypedAmount } from '../money/index.ts';
import { isDay } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import { type FormPart, formLimits } from '../platform/http/forms.ts';
import { isUuid } from '../platform/ids.ts';
import { importProviderSettlement, readCutOff } from '../provider-settlements/index.ts';
import {
  countOpenLinesOf,
  importSettlement,
  type LineResolution,
  type LineResult,
  resolveLines,
} from '../reconciliation/index.ts';
import type { OperatorDeps } from './deps.ts';
import { modeOf, required, withFile } from './file-form.ts';

/** A month of a busy rail, 500,000 lines, has some 60 MB. */
export const MAX_SETTLEMENT_BYTES = 100 * 1024 * 1024;
export const FORM_LIMITS = formLimits({ maxFileBytes: MAX_SETTLEMENT_BYTES, fields: 7 });

/**
 * Takes in a rail's file from a form and imports it. Nothing of the file stays on disk.
 * @returns the id of the import.
 * @throws AppError 400 `FILE_MISSING`, `FILE_TOO_LARGE`, `UPLOAD_BROKEN`, `VALIDATION_FAILED`; as `importSettlement`.
 */
export async function takeSettlement(
  deps: OperatorDeps,
  parts: AsyncIterable<FormPart>,
  importedBy: string,
): Promise<string> {
  return withFile(deps, parts, { known: RAIL_FIELDS, maxBytes: MAX_SETTLEMENT_BYTES }, (fields, file) =>
    importSettlement(deps, {
      ...file,
      rail: required(fields, 'rail'),
      mode: modeOf(required(fields, 'mode')),
      merchantId: merchantOf(fields.get('merchantId')),
      amountsInKobo: flagOf(fields.get('amountsInKobo')),
      importedBy,
    }),
  );
}

const RAIL_FIELDS: ReadonlySet<string> = new Set(['rail', 'mode', 'merchantId', 'amountsInKobo']);

function merchantOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (!isUuid(text)) throw invalidField('merchantId', 'must be an id');
  return text;
}

function flagOf(text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false') return false;
  if (text !== 'true') throw invalidField('amountsInKobo', 'must be true or false');
  return true;
}

/** One request resolves at most so many lines, so that it is answered in time. */
const MAX_LINES = 500;
/** So many refusals are listed. More would tell a reader nothing more. */
const MAX_LISTED = 100;

interface ResolvedSome {
  resolved: number;
  refused: { lineId: string; code: string; message: string }[];
  /** How many lines with this result are still open. */
  left: number;
}

/** Resolves the open lines of an import that have one result, up to a number that one request can take. */
export async function resolveSome(
  deps: OperatorDeps,
  result: LineResult,
  resolution: Omit<LineResolution, 'lineId'>,
): Promise<ResolvedSome> {
  const refused: ResolvedSome['refused'] = [];
  let resolved = 0;
  let seen = 0;
  for await (const line of resolveLines(deps, result, resolution)) {
    seen += 1;
    if (line.refused === undefined) resolved += 1;
    else if (refused.length < MAX_LISTED) {
      refused.push({ lineId: line.lineId, code: line.refused.code, message: line.refused.message });
    }
    if (seen === MAX_LINES) break;
  }
  return { resolved, refused, left: await countOpenLinesOf(deps.database, resolution.importId, result) };
}

const PROVIDER_FIELDS: ReadonlySet<string> = new Set([
  'rail',
  'mode',
  'reference',
  'lumpSum',
  'settledOn',
  'cutOff',
  'amountsInKobo',
]);

/**
 * Takes in a provider's file from a form and imports it. Nothing of the file stays on disk.
 * @returns the id of the settlement.
 * @throws AppError 400 `FILE_MISSING`, `FILE_TOO_LARGE`, `UPLOAD_BROKEN`, `VALIDATION_FAILED`; as
 *   `importProviderSettlement`.
 */
export async function takeProviderSettlement(
  deps: OperatorDeps,
  parts: AsyncIterable<FormPart>,
  importedBy: string,
): Promise<string> {
  return withFile(deps, parts, { known: PROVIDER_FIELDS, maxBytes: MAX_SETTLEMENT_BYTES }, (fields, file) =>
    importProviderSettlement(deps, {
      ...file,
      rail: required(fields, 'rail'),
      mode: modeOf(required(fields, 'mode')),
      reference: required(fields, 'reference'),
      lumpMinor: parseTypedAmount(required(fields, 'lumpSum'), 'lumpSum'),
      settledOn: dayOf(required(fields, 'settledOn')),
      cutOff: cutOffOf(fields.get('cutOff')),
      amountsInKobo: flagOf(fields.get('amountsInKobo')),
      importedBy,
    }),
  );
}

function dayOf(text: string): string {
  if (!isDay(text)) throw invalidField('settledOn', 'must be a day such as 2026-11-20');
  return text;
}

function cutOffOf(text: string | undefined): Date | null {
  if (text === undefined || text === '') return null;
  const cutOff = readCutOff(text);
  if (cutOff === null) throw invalidField('cutOff', 'must be a day, or a date and time');
  return cutOff;
}
