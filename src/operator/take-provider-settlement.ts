import { Readable } from 'node:stream';
import { parseAmountText } from '../money/index.ts';
import { invalidField } from '../platform/errors.ts';
import type { FormPart } from '../platform/http/forms.ts';
import { bytesOf } from '../platform/uploads.ts';
import { importProviderSettlement, isDay, readCutOff } from '../provider-settlements/index.ts';
import type { OperatorDeps } from './deps.ts';
import { flagOf, modeOf, readForm, required } from './take-settlement-file.ts';

const KNOWN: ReadonlySet<string> = new Set([
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
  const { fields, file, fileName } = await readForm(parts, deps.uploads, KNOWN);
  try {
    return await importProviderSettlement(deps, {
      rail: required(fields, 'rail'),
      mode: modeOf(required(fields, 'mode')),
      reference: required(fields, 'reference'),
      lumpMinor: parseAmountText(required(fields, 'lumpSum').replaceAll(',', ''), 'lumpSum'),
      settledOn: dayOf(required(fields, 'settledOn')),
      cutOff: cutOffOf(fields.get('cutOff')),
      fileName,
      open: () => Readable.from(bytesOf(file.fd)),
      amountsInKobo: flagOf(fields.get('amountsInKobo')),
      importedBy,
    });
  } finally {
    await file.close();
  }
}

function dayOf(text: string): string {
  if (!isDay(text)) throw invalidField('settledOn', 'must be a day such as 2026-11-20.');
  return text;
}

function cutOffOf(text: string | undefined): Date | null {
  if (text === undefined || text === '') return null;
  const cutOff = readCutOff(text);
  if (cutOff === null) throw invalidField('cutOff', 'must be a day, or a date and time.');
  return cutOff;
}
