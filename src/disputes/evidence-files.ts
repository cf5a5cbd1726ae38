import { hash } from 'node:crypto';
import type { CommitResult } from '../ledger/index.ts';
import { isDay } from '../platform/clock.ts';
import { MAX_DOCUMENT_BYTES, safeFileName, typeOfBytes } from '../platform/documents.ts';
import { invalidField } from '../platform/errors.ts';
import { FORM_OVERHEAD_BYTES, type FormPart, formFault, formLimits } from '../platform/http/forms.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { isVisible, oneForm } from '../platform/text.ts';
import { COPIES_IN_MEMORY, readSpooled, type Spooled, type SpoolOptions } from '../platform/uploads.ts';
import type { EvidenceFile } from '../rails/index.ts';
import { type AnswerInput, keepAnswer, requireAnswerable } from './answer-dispute.ts';
import {
  type AnswerRow,
  deleteFiles,
  type FileContentRow,
  findFileContent,
  insertFile,
  listFileContents,
} from './answer-queries.ts';
import type { DisputeDeps } from './deps.ts';
import {
  disputeNotFound,
  evidenceBroken,
  evidenceFileTooLarge,
  evidenceMissing,
  evidenceTooMany,
  evidenceTypeRefused,
} from './errors.ts';

/** As many as any provider takes. */
export const MAX_FILES = 3;
/** The text fields of the evidence, with their longest lengths. */
export const EVIDENCE_FIELDS = {
  message: 2_000,
  customerName: 100,
  customerEmail: 100,
  customerPhone: 20,
  serviceDetails: 1_000,
  deliveryAddress: 300,
  deliveryDate: 10,
} as const;
type Field = keyof typeof EVIDENCE_FIELDS;
const isField = (name: string): name is Field => Object.hasOwn(EVIDENCE_FIELDS, name);

/** In bytes: a character has up to four. */
const MAX_FIELD_BYTES = 4 * EVIDENCE_FIELDS.message;
const FIELDS = Object.keys(EVIDENCE_FIELDS).length;

export const FORM_LIMITS = {
  ...formLimits({ maxFileBytes: MAX_DOCUMENT_BYTES, fields: FIELDS, fieldBytes: MAX_FIELD_BYTES }),
  files: MAX_FILES + 1,
  parts: 2 * FIELDS + MAX_FILES + 1,
};
/** The largest form. */
export const MAX_FORM_BYTES = MAX_FILES * MAX_DOCUMENT_BYTES + FIELDS * MAX_FIELD_BYTES + FORM_OVERHEAD_BYTES;

/** Evidence that was sent, in files on disk. The caller that takes it closes the files. */
export interface SentEvidence {
  words: Partial<Record<Field, string>>;
  files: { fileName: string; file: Spooled }[];
}

/**
 * Reads a form with evidence.
 * @throws AppError 400 `VALIDATION_FAILED`, `DISPUTE_UPLOAD_BROKEN`; 422 `DISPUTE_FILES_TOO_MANY`, `DISPUTE_FILE_TOO_LARGE`
 */
export async function takeEvidence(
  parts: AsyncIterable<FormPart>,
  spool: (bytes: AsyncIterable<Buffer>, limits: Pick<SpoolOptions, 'maxBytes' | 'tooLarge'>) => Promise<Spooled>,
): Promise<SentEvidence> {
  const sent: SentEvidence = { words: {}, files: [] };
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (!isField(part.fieldname)) throw invalidField(part.fieldname, 'is not a field of this operation');
        const text = oneForm(part.valueTruncated ? '' : String(part.value)).trim();
        if (text !== '') sent.words[part.fieldname] = wordOf(part.fieldname, text);
        else if (part.valueTruncated) throw invalidField(part.fieldname, 'is too long');
        continue;
      }
      if (part.fieldname !== 'file') throw invalidField(part.fieldname, 'is not a field of this operation');
      if (sent.files.length === MAX_FILES) throw evidenceTooMany(MAX_FILES);
      const file = await spool(part.file, {
        maxBytes: MAX_DOCUMENT_BYTES,
        tooLarge: () => evidenceFileTooLarge(MAX_DOCUMENT_BYTES),
      });
      sent.files.push({ fileName: part.filename, file });
    }
    if (sent.words.message === undefined) throw invalidField('message', 'is required: say why the payment is yours');
    return sent;
  } catch (error) {
    await closeAll(sent);
    throw formFault(error, evidenceBroken);
  }
}

const LINES: readonly Field[] = ['message', 'serviceDetails', 'deliveryAddress'];

function wordOf(field: Field, text: string): string {
  const most = EVIDENCE_FIELDS[field];
  if ([...text].length > most) throw invalidField(field, `must have at most ${most} characters`);
  const shown = LINES.includes(field) ? text.replaceAll(/[\r\n\t]/g, ' ') : text;
  if (!isVisible(shown)) throw invalidField(field, 'must have no invisible characters');
  if (field === 'deliveryDate' && !isDay(text)) throw invalidField(field, 'must be a day such as 2026-11-20');
  if (field === 'customerEmail' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) {
    throw invalidField(field, 'must be an e-mail address');
  }
  return text;
}

export async function closeAll({ files }: Pick<SentEvidence, 'files'>): Promise<void> {
  await Promise.all(files.map(({ file }) => file.close()));
}

type EvidenceInput = AnswerInput & { sent: SentEvidence; bindKey(key: NonNullable<AnswerInput['idempotency']>): void };

/**
 * Contests a dispute: the evidence is kept, and a worker sends it. The files are stored, sealed, before the answer that
 * names them; where no answer is made in the end, they are removed.
 * @throws AppError as `acceptDispute`; 400 `DISPUTE_EVIDENCE_MISSING`; 422 `DISPUTE_FILES_TOO_MANY`,
 *   `DISPUTE_FILE_TYPE_REFUSED`; 503 `UPLOADS_BUSY`
 */
export async function contestDispute(deps: DisputeDeps, input: EvidenceInput): Promise<CommitResult> {
  const { tenant, disputeId, sent } = input;
  const idempotency = bound(input);
  if (idempotency !== undefined) {
    input.bindKey(idempotency);
    const earlier = await deps.ledger.findAnswer(tenant, idempotency);
    if (earlier !== undefined) return earlier;
  }
  const { capabilities } = await requireAnswerable(deps, tenant, disputeId);
  if (sent.files.length > capabilities.evidenceFiles) throw evidenceTooMany(capabilities.evidenceFiles);
  for (const need of capabilities.needs) requireWords(need, sent);
  const id = newId();
  const key = [tenant.merchantId, tenant.mode, id];
  try {
    let place = 0;
    for (const file of sent.files) await keepFile(deps, tenant, { answerId: id, place: place++, ...file });
    const words = Object.fromEntries(
      Object.keys(EVIDENCE_FIELDS).map((field) => [field, sent.words[field as Field] ?? null]),
    );
    return await keepAnswer(
      deps,
      { ...input, idempotency },
      { id, action: 'CONTEST', words, files: sent.files.length },
    );
  } catch (error) {
    await deps.database.query(deleteFiles, key).catch(() => undefined);
    throw error;
  }
}

function requireWords(need: 'CUSTOMER' | 'SERVICE_DETAILS', { words }: SentEvidence): void {
  const { customerName, customerEmail, customerPhone, serviceDetails } = words;
  const hasCustomer = [customerName, customerEmail, customerPhone].every((word) => word !== undefined);
  if (need === 'CUSTOMER' && !hasCustomer) {
    throw evidenceMissing('the name, the e-mail address and the phone number of the customer');
  }
  if (need === 'SERVICE_DETAILS' && serviceDetails === undefined) throw evidenceMissing('what was sold');
}

/** The idempotency key with a hash that includes the form, which had not been read when the key was. */
function bound({ idempotency, sent }: EvidenceInput): AnswerInput['idempotency'] {
  if (idempotency === undefined || idempotency.key === null) return idempotency;
  const content = [
    idempotency.inputHash,
    ...Object.keys(EVIDENCE_FIELDS).map((field) => sent.words[field as Field] ?? ''),
    ...sent.files.map(({ fileName, file }) => `${fileName}/${file.sha256}`),
  ];
  return { ...idempotency, inputHash: hash('sha256', JSON.stringify(content), 'hex') };
}

const contextOf = ({ merchantId, mode }: Tenant, answerId: string, id: string) =>
  `dispute_files/${merchantId}/${mode}/${answerId}/${id}/content_sealed`;

async function keepFile(
  deps: DisputeDeps,
  tenant: Tenant,
  { answerId, place, fileName, file }: { answerId: string; place: number; fileName: string; file: Spooled },
): Promise<void> {
  await deps.uploads.holding(tenant.merchantId, COPIES_IN_MEMORY * file.size, async () => {
    const content = await readSpooled(file);
    const type = typeOfBytes(content);
    if (type === undefined) throw evidenceTypeRefused();
    const id = newId();
    const [hashed] = deps.secrets.hmacs('document', Buffer.from(file.sha256, 'hex').toString('base64'));
    const sealed = deps.secrets.sealBytes(content, contextOf(tenant, answerId, id));
    await deps.database.query(insertFile, [
      tenant.merchantId,
      tenant.mode,
      answerId,
      id,
      place,
      safeFileName(fileName, type.ending),
      type.contentType,
      content.length,
      hashed,
      sealed,
      deps.clock.now(),
    ]);
  });
}

/** The files of an answer, in order. @throws where the bytes were altered in the database. */
export async function readFiles(deps: DisputeDeps, answer: AnswerRow): Promise<EvidenceFile[]> {
  if (answer.files === 0) return [];
  const { merchant_id: merchantId, mode, id } = answer;
  const rows = await deps.database.query(listFileContents, [merchantId, mode, id]);
  return rows.map((row) => opened(deps, { merchantId, mode }, row));
}

/** One file of a dispute. @throws AppError 404 `DISPUTE_NOT_FOUND`, also for another merchant's; 503 `UPLOADS_BUSY` */
export function readEvidenceFile(
  deps: DisputeDeps,
  tenant: Tenant,
  { disputeId, fileId }: { disputeId: string; fileId: string },
): Promise<EvidenceFile> {
  return deps.uploads.holding(tenant.merchantId, COPIES_IN_MEMORY * MAX_DOCUMENT_BYTES, async () => {
    const [row] = await deps.database.query(findFileContent, [tenant.merchantId, tenant.mode, disputeId, fileId]);
    if (row === undefined) throw disputeNotFound();
    return opened(deps, tenant, row);
  });
}

function opened({ secrets }: DisputeDeps, tenant: Tenant, row: FileContentRow): EvidenceFile {
  const content = secrets.openBytes(row.content_sealed, contextOf(tenant, row.answer_id, row.id));
  return { fileName: row.file_name, contentType: row.content_type, content };
}
