import { lockMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { MAX_DOCUMENT_BYTES, safeFileName, typeOfBytes } from '../platform/documents.ts';
import { invalidField } from '../platform/errors.ts';
import { type FormPart, formFault, formLimits } from '../platform/http/forms.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { COPIES_IN_MEMORY, readSpooled, type Spooled, type SpoolOptions, type Uploads } from '../platform/uploads.ts';
import {
  documentAccepted,
  documentBroken,
  documentMissing,
  documentNotFound,
  documentsTooMany,
  documentsTooManyAtOnce,
  documentTooLarge,
  documentTypeRefused,
} from './errors.ts';
import {
  type DocumentRow,
  deleteDocument,
  findDocumentByHash,
  findDocumentContent,
  insertDocument,
  listDocumentRows,
} from './queries.ts';
import { noteReview, readReviewState, requireOpen } from './review-state.ts';
import { DOCUMENT_KINDS, type DocumentKind, isDocumentKind } from './steps.ts';

export const FORM_LIMITS = formLimits({ maxFileBytes: MAX_DOCUMENT_BYTES, fields: 2 });

/** A document that was sent, in a file on disk. The caller that takes it closes the file. */
interface SentDocument {
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

/** Twice what any review asks for. */
const MAX_DOCUMENTS = 20;

export interface DocumentDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  uploads: Uploads;
}

type StoreInput = SentDocument & { merchantId: string; personId: string };

/**
 * Keeps a document sealed in the database, and closes the file that it came in. The same file sent again as the same kind
 * is the one that is there.
 * @throws AppError 422 `DOCUMENT_TYPE_REFUSED`, `DOCUMENTS_TOO_MANY`; 409 `ONBOARDING_WAITING`, `ONBOARDING_CLOSED`; 503
 *   `UPLOADS_BUSY`.
 */
export async function storeDocument(deps: DocumentDeps, input: StoreInput): Promise<DocumentRow> {
  const { merchantId, file } = input;
  try {
    return await deps.uploads.holding(merchantId, COPIES_IN_MEMORY * file.size, async () =>
      keepContent(deps, input, await readSpooled(file)),
    );
  } finally {
    await file.close();
  }
}

async function keepContent(deps: DocumentDeps, input: StoreInput, content: Buffer): Promise<DocumentRow> {
  const { merchantId, kind } = input;
  const type = typeOfBytes(content);
  if (type === undefined) throw documentTypeRefused();
  const id = newId();
  const [hash, ...older] = deps.secrets.hmacs('document', Buffer.from(input.file.sha256, 'hex').toString('base64'));
  const sealed = deps.secrets.sealBytes(content, contentContext(merchantId, id));
  const now = deps.clock.now();
  const name = safeFileName(input.fileName, type.ending);
  const columns = [merchantId, id, kind, name, type.contentType, content.length, hash, sealed, input.personId, now];
  return deps.database.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, merchantId);
    requireOpen(merchant);
    const [same] = await tx.query(findDocumentByHash, [merchantId, kind, [hash, ...older]]);
    if (same !== undefined) return same;
    const { documents } = await readReviewState(tx, merchant);
    if (documents.length >= MAX_DOCUMENTS) throw documentsTooMany(MAX_DOCUMENTS);
    const [stored] = await tx.query(insertDocument, columns);
    await noteReview(tx, merchant);
    return stored as DocumentRow;
  });
}

/** Whose document is read, and by whom. */
export interface WantedDocument {
  merchantId: string;
  documentId: string;
  /** Whose reading it counts for: a merchant, or the operator. */
  caller: string;
}

/** @throws AppError 404 `DOCUMENT_NOT_FOUND`, also for another merchant's */
export async function requireDocument(
  queries: Queries,
  { merchantId, documentId }: Pick<WantedDocument, 'merchantId' | 'documentId'>,
): Promise<void> {
  const rows = await queries.query(listDocumentRows, [merchantId]);
  if (!rows.some(({ id }) => id === documentId)) throw documentNotFound();
}

/**
 * A document with what is in it. @throws AppError 404 `DOCUMENT_NOT_FOUND`, also for another merchant's; 503
 *   `UPLOADS_BUSY`; an error where the bytes were altered in the database.
 */
export function readDocument(
  { database, secrets, uploads }: Pick<DocumentDeps, 'database' | 'secrets' | 'uploads'>,
  { merchantId, documentId, caller }: WantedDocument,
): Promise<{ fileName: string; contentType: string; content: Buffer }> {
  return uploads.holding(caller, COPIES_IN_MEMORY * MAX_DOCUMENT_BYTES, async () => {
    const [row] = await database.query(findDocumentContent, [merchantId, documentId]);
    if (row === undefined) throw documentNotFound();
    const content = secrets.openBytes(row.content_sealed, contentContext(merchantId, documentId));
    return { fileName: row.file_name, contentType: row.content_type, content };
  });
}

/**
 * Takes a document away for good; what an accepted review rested on stays.
 * @throws AppError 404 `DOCUMENT_NOT_FOUND`; 409 `DOCUMENT_ACCEPTED`, `ONBOARDING_WAITING`, `ONBOARDING_CLOSED`.
 */
export async function removeDocument(
  deps: Pick<DocumentDeps, 'database'>,
  merchantId: string,
  documentId: string,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, merchantId);
    const { documents, acceptedAt } = await readReviewState(tx, merchant);
    const found = documents.find(({ id }) => id === documentId);
    if (found === undefined) throw documentNotFound();
    requireOpen(merchant);
    if (acceptedAt !== null && found.uploaded_at <= acceptedAt) throw documentAccepted();
    await tx.query(deleteDocument, [merchantId, documentId]);
    await noteReview(tx, merchant);
  });
}

/** What sealed bytes are bound to: copied to another row they do not open. */
function contentContext(merchantId: string, documentId: string): string {
  return `merchant_documents/${merchantId}/${documentId}/content_sealed`;
}
