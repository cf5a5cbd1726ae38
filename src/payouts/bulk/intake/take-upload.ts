import { PAYOUT_PURPOSES, type PayoutPurpose } from '../../../fees/index.ts';
import { parseAmountText } from '../../../money/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { type FormPart, formFault, formLimits } from '../../../platform/http/forms.ts';
import { fileTooLarge } from '../../../platform/spreadsheet/errors.ts';
import { MAX_FILE_BYTES } from '../../../platform/spreadsheet/limits.ts';
import { withoutInvisible } from '../../../platform/text.ts';
import type { Spooled } from '../../../platform/uploads/spool-bytes.ts';
import type { SpoolOptions } from '../../../platform/uploads/uploads.ts';
import type { BatchSettings } from '../create-batch.ts';
import { fileMissing, filesTooMany, uploadBroken } from './errors.ts';

export const FORM_LIMITS = formLimits({ maxFileBytes: MAX_FILE_BYTES, fields: 3 });
const MAX_FILE_NAME = 200;

export interface Upload {
  file: Spooled;
  fileName: string;
  settings: BatchSettings;
}

/** Puts the file of a form aside. */
export type Spool = (
  bytes: AsyncIterable<Buffer>,
  options: Pick<SpoolOptions, 'maxBytes' | 'tooLarge'>,
) => Promise<Spooled>;

/**
 * Takes in a multipart form: the file is put aside, the fields are read. The caller closes the file.
 * @throws AppError `FILE_MISSING`, `FILES_TOO_MANY`, `FILE_TOO_LARGE`, `UPLOAD_BROKEN`, `VALIDATION_FAILED`
 */
export async function takeUpload(parts: AsyncIterable<FormPart>, spool: Spool): Promise<Upload> {
  let file: Spooled | undefined;
  let fileName = '';
  const settings: BatchSettings = { purpose: 'GENERAL' };
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        readField(settings, part.fieldname, part.valueTruncated ? '' : String(part.value));
        continue;
      }
      if (part.fieldname !== 'file') throw invalidField(part.fieldname, 'is not a field of this operation.');
      if (file !== undefined) throw filesTooMany();
      fileName = withoutInvisible(part.filename).slice(0, MAX_FILE_NAME).toWellFormed();
      file = await spool(part.file, { maxBytes: MAX_FILE_BYTES, tooLarge: () => fileTooLarge(MAX_FILE_BYTES) });
    }
    if (file === undefined) throw fileMissing();
    return { file, fileName, settings };
  } catch (error) {
    await file?.close();
    throw formFault(error, uploadBroken);
  }
}

function readField(settings: BatchSettings, name: string, value: string): void {
  switch (name) {
    case 'purpose':
      settings.purpose = purposeOf(value);
      break;
    case 'controlCount':
      if (!/^\d{1,8}$/.test(value)) throw invalidField(name, 'must be a whole number.');
      settings.controlCount = Number(value);
      break;
    case 'controlTotal':
      settings.controlTotalMinor = parseAmountText(value, name, { allowZero: true });
      break;
    case 'file':
      throw invalidField(name, 'must be a file, not a text.');
    default:
      throw invalidField(name.slice(0, FORM_LIMITS.fieldNameSize), 'is not a field of this operation.');
  }
}

function purposeOf(value: string): PayoutPurpose {
  const found = PAYOUT_PURPOSES.find((purpose) => purpose === value);
  if (found === undefined) throw invalidField('purpose', `must be one of ${PAYOUT_PURPOSES.join(', ')}.`);
  return found;
}
