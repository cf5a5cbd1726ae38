import { Readable } from 'node:stream';
import { AppError, invalidField } from '../platform/errors.ts';
import { type FormPart, formFault } from '../platform/http/forms.ts';
import type { Mode } from '../platform/tenant.ts';
import { withoutInvisible } from '../platform/text.ts';
import { bytesOf, type Spooled } from '../platform/uploads.ts';
import { OPERATOR, type OperatorDeps } from './deps.ts';

export const fileMissing = () =>
  new AppError('invalid', 'FILE_MISSING', 'Send the file as multipart/form-data, in the field "file".');

const fileTooLarge = (maxBytes: number) =>
  new AppError('invalid', 'FILE_TOO_LARGE', `The file is larger than ${maxBytes / 1024 / 1024} MB.`);

const uploadBroken = () =>
  new AppError('invalid', 'UPLOAD_BROKEN', 'The upload broke off or is no valid form. Please send it again.');

const MAX_FILE_NAME = 200;

type Fields = ReadonlyMap<string, string>;

interface FileForm {
  /** The names of its fields beside the file. */
  known: ReadonlySet<string>;
  maxBytes: number;
}

/**
 * Reads a form, hands on its fields and its file, and closes the file, of which nothing stays on disk.
 * @throws AppError 400 `FILE_MISSING`, `FILE_TOO_LARGE`, `UPLOAD_BROKEN`, `VALIDATION_FAILED`; as `use`.
 */
export async function withFile<T>(
  deps: Pick<OperatorDeps, 'uploads'>,
  parts: AsyncIterable<FormPart>,
  form: FileForm,
  use: (fields: Fields, file: { fileName: string; open: () => Readable }) => Promise<T>,
): Promise<T> {
  const { fields, file, fileName } = await readForm(deps, parts, form);
  try {
    return await use(fields, { fileName, open: () => Readable.from(bytesOf(file.fd)) });
  } finally {
    await file.close();
  }
}

/** The fields and the file of a form. The caller closes the file. */
async function readForm(
  { uploads }: Pick<OperatorDeps, 'uploads'>,
  parts: AsyncIterable<FormPart>,
  { known, maxBytes }: FileForm,
): Promise<{ fields: Fields; file: Spooled; fileName: string }> {
  const fields = new Map<string, string>();
  let file: Spooled | undefined;
  let fileName = '';
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        const name = part.fieldname;
        if (!known.has(name)) throw invalidField(name.slice(0, 100), 'is not a field of this form');
        if (part.valueTruncated) throw invalidField(name, 'is too long');
        fields.set(name, String(part.value).trim());
      } else {
        if (part.fieldname !== 'file' || file !== undefined) throw invalidField('file', 'must be one file');
        fileName = withoutInvisible(part.filename).slice(0, MAX_FILE_NAME).toWellFormed();
        file = await uploads.spool(OPERATOR, part.file, { maxBytes, tooLarge: () => fileTooLarge(maxBytes) });
      }
    }
    if (file === undefined) throw fileMissing();
    return { fields, file, fileName };
  } catch (error) {
    await file?.close();
    throw formFault(error, uploadBroken);
  }
}

export function required(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (value === undefined || value === '') throw invalidField(name, 'is required');
  return value;
}

export function modeOf(text: string): Mode {
  if (text !== 'SANDBOX' && text !== 'LIVE') throw invalidField('mode', 'must be SANDBOX or LIVE');
  return text;
}
