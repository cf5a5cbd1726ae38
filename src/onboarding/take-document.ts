import { MAX_DOCUMENT_BYTES } from '../platform/documents.ts';
import { invalidField } from '../platform/errors.ts';
import { type FormPart, formFault, formLimits } from '../platform/http/forms.ts';
import type { Spooled, SpoolOptions } from '../platform/uploads.ts';
import { documentBroken, documentMissing, documentsTooManyAtOnce, documentTooLarge } from './errors.ts';
import { DOCUMENT_KINDS, type DocumentKind, isDocumentKind } from './steps.ts';

export const FORM_LIMITS = formLimits({ maxFileBytes: MAX_DOCUMENT_BYTES, fields: 2 });

/** A document that was sent, put aside. Whoever takes it closes the file. */
export interface SentDocument {
  kind: DocumentKind;
  fileName: string;
  file: Spooled;
}

/**
 * Takes in a form with a document.
 * @throws AppError 400 `VALIDATION_FAILED`, `DOCUMENT_MISSING`, `DOCUMENT_ONE_AT_A_TIME`, `DOCUMENT_UPLOAD_BROKEN`;
 *   422 `DOCUMENT_TOO_LARGE`
 */
export async function takeDocument(
  parts: AsyncIterable<FormPart>,
  spool: (bytes: AsyncIterable<Buffer>, limits: Pick<SpoolOptions, 'maxBytes' | 'tooLarge'>) => Promise<Spooled>,
): Promise<SentDocument> {
  let kind: DocumentKind | undefined;
  let file: Spooled | undefined;
  let fileName = '';
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        kind = kindOf(part.fieldname, part.valueTruncated ? '' : String(part.value));
        continue;
      }
      if (part.fieldname !== 'file') throw invalidField(part.fieldname, 'is not a field of this operation');
      if (file !== undefined) throw documentsTooManyAtOnce();
      fileName = part.filename;
      file = await spool(part.file, {
        maxBytes: MAX_DOCUMENT_BYTES,
        tooLarge: () => documentTooLarge(MAX_DOCUMENT_BYTES),
      });
    }
    if (kind === undefined) throw invalidField('kind', 'is required');
    if (file === undefined || file.size === 0) throw documentMissing();
    return { kind, fileName, file };
  } catch (error) {
    await file?.close();
    throw formFault(error, documentBroken);
  }
}

function kindOf(field: string, value: string): DocumentKind {
  if (field === 'file') throw invalidField(field, 'must be a file, not a text');
  if (field !== 'kind') throw invalidField(field, 'is not a field of this operation');
  if (!isDocumentKind(value)) throw invalidField(field, `must be one of ${DOCUMENT_KINDS.join(', ')}`);
  return value;
}
