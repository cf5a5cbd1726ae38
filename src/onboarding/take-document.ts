import { AppError, invalidField } from '../platform/errors.ts';
import { type FormPart, formLimits } from '../platform/http/forms.ts';
import { documentBroken, documentMissing, documentsTooManyAtOnce, documentTooLarge } from './errors.ts';
import { DOCUMENT_KINDS, type DocumentKind, isDocumentKind } from './steps.ts';

/** A scan of several pages in colour; larger ones are photographs that nobody made smaller. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;

export const FORM_LIMITS = formLimits({ maxFileBytes: MAX_DOCUMENT_BYTES, fields: 2 });

export interface GivenDocument {
  kind: DocumentKind;
  fileName: string;
  content: Buffer;
}

/**
 * Takes in a form with a document.
 * @throws AppError 400 `VALIDATION_FAILED`, `DOCUMENT_MISSING`, `DOCUMENT_ONE_AT_A_TIME`, `DOCUMENT_UPLOAD_BROKEN`;
 *   422 `DOCUMENT_TOO_LARGE`
 */
export async function takeDocument(parts: AsyncIterable<FormPart>): Promise<GivenDocument> {
  let kind: DocumentKind | undefined;
  let file: { fileName: string; content: Buffer } | undefined;
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        kind = kindOf(part.fieldname, part.valueTruncated ? '' : String(part.value));
        continue;
      }
      if (part.fieldname !== 'file') throw invalidField(part.fieldname, 'is not a field of this operation');
      if (file !== undefined) throw documentsTooManyAtOnce();
      file = { fileName: part.filename, content: await bytesOf(part.file) };
    }
  } catch (error) {
    throw error instanceof AppError ? error : documentBroken();
  }
  if (kind === undefined) throw invalidField('kind', 'is required');
  if (file === undefined || file.content.length === 0) throw documentMissing();
  return { kind, ...file };
}

function kindOf(field: string, value: string): DocumentKind {
  if (field === 'file') throw invalidField(field, 'must be a file, not a text');
  if (field !== 'kind') throw invalidField(field, 'is not a field of this operation');
  if (!isDocumentKind(value)) throw invalidField(field, `must be one of ${DOCUMENT_KINDS.join(', ')}`);
  return value;
}

async function bytesOf(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw documentTooLarge(MAX_DOCUMENT_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
