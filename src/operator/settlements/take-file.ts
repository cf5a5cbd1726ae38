import { Readable } from 'node:stream';
import { invalidField } from '../../platform/errors.ts';
import { type FormPart, formFault, formLimits } from '../../platform/http/forms.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Mode } from '../../platform/tenant.ts';
import { withoutInvisible } from '../../platform/text.ts';
import { bytesOf, type Spooled } from '../../platform/uploads/spool-bytes.ts';
import type { Uploads } from '../../platform/uploads/uploads.ts';
import { importSettlement } from '../../reconciliation/index.ts';
import { OPERATOR, type OperatorDeps } from '../deps.ts';
import { settlementFileMissing, settlementFileTooLarge, settlementUploadBroken } from './errors.ts';

/** A month of a busy rail, 500,000 lines, has some 60 MB. */
export const MAX_SETTLEMENT_BYTES = 100 * 1024 * 1024;
const MAX_FILE_NAME = 200;

export const FORM_LIMITS = formLimits({ maxFileBytes: MAX_SETTLEMENT_BYTES, fields: 4 });

interface Form {
  fields: Map<string, string>;
  file: Spooled;
  fileName: string;
}

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
  const { fields, file, fileName } = await readForm(parts, deps.uploads);
  try {
    return await importSettlement(deps, {
      rail: required(fields, 'rail'),
      mode: modeOf(required(fields, 'mode')),
      merchantId: merchantOf(fields.get('merchantId')),
      fileName,
      open: () => Readable.from(bytesOf(file.fd)),
      amountsInKobo: flagOf(fields.get('amountsInKobo')),
      importedBy,
    });
  } finally {
    await file.close();
  }
}

const KNOWN: ReadonlySet<string> = new Set(['rail', 'mode', 'merchantId', 'amountsInKobo']);

async function readForm(parts: AsyncIterable<FormPart>, uploads: Uploads): Promise<Form> {
  const fields = new Map<string, string>();
  let file: Spooled | undefined;
  let fileName = '';
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (!KNOWN.has(part.fieldname))
          throw invalidField(part.fieldname.slice(0, 100), 'is not a field of this form.');
        fields.set(part.fieldname, part.valueTruncated ? '' : String(part.value).trim());
      } else {
        if (part.fieldname !== 'file' || file !== undefined) throw invalidField('file', 'must be one file.');
        fileName = withoutInvisible(part.filename).slice(0, MAX_FILE_NAME).toWellFormed();
        file = await uploads.spool(OPERATOR, part.file, {
          maxBytes: MAX_SETTLEMENT_BYTES,
          tooLarge: () => settlementFileTooLarge(MAX_SETTLEMENT_BYTES),
        });
      }
    }
    if (file === undefined) throw settlementFileMissing();
    return { fields, file, fileName };
  } catch (error) {
    await file?.close();
    throw formFault(error, settlementUploadBroken);
  }
}

function required(fields: Map<string, string>, name: string): string {
  const value = fields.get(name);
  if (value === undefined || value === '') throw invalidField(name, 'is required.');
  return value;
}

function modeOf(text: string): Mode {
  if (text !== 'SANDBOX' && text !== 'LIVE') throw invalidField('mode', 'must be SANDBOX or LIVE.');
  return text;
}

function merchantOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (!isUuid(text)) throw invalidField('merchantId', 'must be an id.');
  return text;
}

function flagOf(text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false') return false;
  if (text !== 'true') throw invalidField('amountsInKobo', 'must be true or false.');
  return true;
}
