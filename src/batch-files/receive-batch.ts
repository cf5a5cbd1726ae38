import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import { PAYOUT_PURPOSES, type PayoutPurpose } from '../fees/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { parseAmountText } from '../money/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { invalidField } from '../platform/errors.ts';
import { type FormPart, formFault, formLimits } from '../platform/http/forms.ts';
import { bodyTooLarge } from '../platform/http/json-body.ts';
import { fileTooLarge, MAX_FILE_BYTES } from '../platform/spreadsheet/errors.ts';
import { detectKind } from '../platform/spreadsheet/read-file.ts';
import type { Tenant } from '../platform/tenant.ts';
import { withoutInvisible } from '../platform/text.ts';
import { LIST_MEMORY_BYTES, type Spooled, type SpoolOptions } from '../platform/uploads.ts';
import { type BatchSettings, createBatch } from './create-batch.ts';
import { fileMissing, filesTooMany, uploadBroken } from './errors.ts';
import { rowsOfItems, rowsOfJson, settingsOf } from './rows-of-items.ts';
import { rowsOfSheet } from './rows-of-sheet.ts';
import type { CreateBatchBody } from './schemas.ts';

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

/** 100,000 items have 15 MB at most. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Who sends a list, in whichever way. */
export interface Sender {
  tenant: Tenant;
  scenario: string | null;
  idempotency: IdempotencyKey | undefined;
  /** How long the body says that it is. */
  expectedBytes: number | undefined;
  /** Called with the key again once it is bound to a content that had not come when the key was read. */
  bindKey(bound: IdempotencyKey): void;
}

/** A list in a JSON body that has been validated. Only the way in differs: whatever comes becomes rows, and they one batch. */
export function receiveItems(
  deps: PayoutDeps,
  sender: Sender,
  { items, ...settings }: Static<typeof CreateBatchBody>,
): Promise<CommitResult> {
  const made = settingsOf(settings);
  return createBatch(deps, {
    ...sender,
    source: 'JSON',
    fileName: null,
    rows: rowsOfItems(items),
    settings: () => made,
  });
}

/** A JSON body that is too long to be parsed where everyone waits for it. */
export async function receiveJson(
  deps: PayoutDeps,
  sender: Sender,
  bytes: AsyncIterable<Buffer>,
): Promise<CommitResult> {
  const { expectedBytes } = sender;
  const file = await deps.uploads.spool(sender.tenant.merchantId, bytes, {
    expectedBytes,
    maxBytes: MAX_BODY_BYTES,
    tooLarge: bodyTooLarge,
  });
  return usingFile(file, () =>
    firstOrEarlier(deps, sender, `JSON ${file.sha256}`, (idempotency) => {
      const rows = rowsOfJson(file.fd);
      return createBatch(deps, {
        ...sender,
        idempotency,
        source: 'JSON',
        fileName: null,
        rows,
        settings: () => rows.settings(),
      });
    }),
  );
}

/** A CSV file or a workbook, in a multipart form. */
export async function receiveForm(
  deps: PayoutDeps,
  sender: Sender,
  parts: AsyncIterable<FormPart>,
): Promise<CommitResult> {
  const { file, fileName, settings } = await takeUpload(parts, (bytes, limits) =>
    deps.uploads.spool(sender.tenant.merchantId, bytes, { ...limits, expectedBytes: sender.expectedBytes }),
  );
  return usingFile(file, async () => {
    const kind = await detectKind(file.fd, fileName);
    return firstOrEarlier(deps, sender, formContent(file, settings), (idempotency) =>
      createBatch(deps, {
        ...sender,
        idempotency,
        source: kind,
        fileName: fileName === '' ? null : fileName,
        rows: rowsOfSheet(file.fd, kind),
        settings: () => settings,
      }),
    );
  });
}

async function usingFile<T>(file: Spooled, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}

/** What is asked is the file and what the fields say, in whatever way the form is written. */
function formContent(file: Spooled, { purpose, controlCount, controlTotalMinor }: BatchSettings): string {
  return JSON.stringify([file.sha256, purpose, controlCount ?? null, controlTotalMinor?.toString() ?? null]);
}

/**
 * The guard before the route could not hash what had not come yet: the key is bound to the content here. A repeated
 * request gets its answer before a single row is read; any other waits until there is memory to read it.
 */
async function firstOrEarlier(
  deps: PayoutDeps,
  { tenant, idempotency, bindKey }: Sender,
  content: string,
  read: (idempotency: IdempotencyKey | undefined) => Promise<CommitResult>,
): Promise<CommitResult> {
  const inTurn = (work: () => Promise<CommitResult>) =>
    deps.uploads.holding(tenant.merchantId, LIST_MEMORY_BYTES, work);
  if (idempotency === undefined || idempotency.key === null) return inTurn(() => read(idempotency));
  const inputHash = hash('sha256', `POST /payout/bulk\n${content}`, 'base64url');
  const bound: IdempotencyKey = { ...idempotency, inputHash };
  bindKey(bound);
  const earlier = () => deps.ledger.findAnswer(tenant, bound);
  // Its like may have been read while it waited.
  return (await earlier()) ?? inTurn(async () => (await earlier()) ?? read(bound));
}
