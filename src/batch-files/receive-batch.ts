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
import { findRememberedFields } from './map-columns.ts';
import { previewBatch } from './preview-batch.ts';
import { rowsOfItems, rowsOfJson, settingsOf } from './rows-of-items.ts';
import { rowsOfSheet, type SheetInput } from './rows-of-sheet.ts';
import type { CreateBatchBody } from './schemas.ts';
import {
  isOptionField,
  MAX_OPTION_BYTES,
  OPTION_FIELDS,
  optionsContent,
  type ReadingOptions,
  readOption,
} from './upload-options.ts';

export const FORM_LIMITS = formLimits({
  maxFileBytes: MAX_FILE_BYTES,
  fields: 3 + OPTION_FIELDS.length,
  fieldBytes: MAX_OPTION_BYTES,
});
const MAX_FILE_NAME = 200;

export interface Upload {
  file: Spooled;
  fileName: string;
  settings: BatchSettings;
  options: ReadingOptions;
}

/** Stores the file of a form on the disk. */
export type Spool = (
  bytes: AsyncIterable<Buffer>,
  options: Pick<SpoolOptions, 'maxBytes' | 'tooLarge'>,
) => Promise<Spooled>;

/**
 * Takes in a multipart form: the file is put aside, the fields are read. The caller closes the file.
 * @throws AppError `FILE_MISSING`, `FILES_TOO_MANY`, `FILE_TOO_LARGE`, `UPLOAD_BROKEN`, `VALIDATION_FAILED`
 */
async function takeUpload(parts: AsyncIterable<FormPart>, spool: Spool): Promise<Upload> {
  let file: Spooled | undefined;
  let fileName = '';
  const settings: BatchSettings = { purpose: 'GENERAL' };
  const options: ReadingOptions = {};
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        const value = part.valueTruncated ? '' : String(part.value);
        if (isOptionField(part.fieldname)) readOption(options, part.fieldname, value);
        else readField(settings, part.fieldname, value);
        continue;
      }
      if (part.fieldname !== 'file') throw invalidField(part.fieldname, 'is not a field of this operation');
      if (file !== undefined) throw filesTooMany();
      fileName = withoutInvisible(part.filename).slice(0, MAX_FILE_NAME).toWellFormed();
      file = await spool(part.file, { maxBytes: MAX_FILE_BYTES, tooLarge: () => fileTooLarge(MAX_FILE_BYTES) });
    }
    if (file === undefined) throw fileMissing();
    return { file, fileName, settings, options };
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
      if (!/^\d{1,8}$/.test(value)) throw invalidField(name, 'must be a whole number');
      settings.controlCount = Number(value);
      break;
    case 'controlTotal':
      settings.controlTotalMinor = parseAmountText(value, name, { allowZero: true });
      break;
    case 'file':
      throw invalidField(name, 'must be a file, not a text');
    default:
      throw invalidField(name.slice(0, FORM_LIMITS.fieldNameSize), 'is not a field of this operation');
  }
}

function purposeOf(value: string): PayoutPurpose {
  const found = PAYOUT_PURPOSES.find((purpose) => purpose === value);
  if (found === undefined) throw invalidField('purpose', `must be one of ${PAYOUT_PURPOSES.join(', ')}`);
  return found;
}

/** A list of 100,000 items has 15 MB at most. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The sender of a list, in any format. */
export interface Sender {
  tenant: Tenant;
  scenario: string | null;
  idempotency: IdempotencyKey | undefined;
  /** The length that the body announces. */
  expectedBytes: number | undefined;
  /** Called with the key once it is bound to a content that had not arrived when the key was read. */
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
    rows: rowsOfItems(items, settings.defaults),
    settings: () => made,
  });
}

/** Receives a JSON body that is too long to be parsed on the main thread. */
export async function receiveJson(
  deps: PayoutDeps,
  sender: Sender,
  bytes: AsyncIterable<Buffer>,
): Promise<CommitResult> {
  const file = await spoolJson(deps, sender, bytes);
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

/** Receives a CSV file or a workbook in a multipart form. */
export async function receiveForm(
  deps: PayoutDeps,
  sender: Sender,
  parts: AsyncIterable<FormPart>,
): Promise<CommitResult> {
  const { file, fileName, settings, options } = await takeForm(deps, sender, parts);
  return usingFile(file, async () => {
    const kind = await detectKind(file.fd, fileName);
    return firstOrEarlier(deps, sender, formContent(file, settings, options), (idempotency) =>
      createBatch(deps, {
        ...sender,
        idempotency,
        source: kind,
        fileName: fileName === '' ? null : fileName,
        rows: rowsOfSheet(sheetInput(deps, sender.tenant, { fd: file.fd, kind, options })),
        settings: () => settings,
      }),
    );
  });
}

/** The sender of a list for a preview. */
export type Viewer = Pick<Sender, 'tenant' | 'expectedBytes'>;

/** What would come of a file, in a multipart form. @throws AppError as an upload, for what cannot be read at all */
export async function previewForm(deps: PayoutDeps, viewer: Viewer, parts: AsyncIterable<FormPart>) {
  const { file, fileName, settings, options } = await takeForm(deps, viewer, parts);
  return usingFile(file, async () => {
    const kind = await detectKind(file.fd, fileName);
    return inTurn(deps, viewer.tenant, () => {
      const rows = rowsOfSheet({ ...sheetInput(deps, viewer.tenant, { fd: file.fd, kind, options }), isPreview: true });
      return previewBatch(deps, viewer.tenant, { rows, settings: () => settings });
    });
  });
}

/** Previews a list in a JSON body that has been validated. */
export function previewItems(
  deps: PayoutDeps,
  { tenant }: Viewer,
  { items, ...settings }: Static<typeof CreateBatchBody>,
) {
  const made = settingsOf(settings);
  return previewBatch(deps, tenant, { rows: rowsOfItems(items, settings.defaults), settings: () => made });
}

/** Previews a JSON body that is too long to be parsed on the main thread. */
export async function previewJson(deps: PayoutDeps, viewer: Viewer, bytes: AsyncIterable<Buffer>) {
  const file = await spoolJson(deps, viewer, bytes);
  return usingFile(file, () =>
    inTurn(deps, viewer.tenant, () => {
      const rows = rowsOfJson(file.fd);
      return previewBatch(deps, viewer.tenant, { rows, settings: () => rows.settings() });
    }),
  );
}

const takeForm = (deps: PayoutDeps, { tenant, expectedBytes }: Viewer, parts: AsyncIterable<FormPart>) =>
  takeUpload(parts, (bytes, limits) => deps.uploads.spool(tenant.merchantId, bytes, { ...limits, expectedBytes }));

const spoolJson = (deps: PayoutDeps, { tenant, expectedBytes }: Viewer, bytes: AsyncIterable<Buffer>) =>
  deps.uploads.spool(tenant.merchantId, bytes, { expectedBytes, maxBytes: MAX_BODY_BYTES, tooLarge: bodyTooLarge });

const sheetInput = (
  deps: PayoutDeps,
  tenant: Tenant,
  file: Pick<SheetInput, 'fd' | 'kind' | 'options'>,
): SheetInput => ({
  ...file,
  findRemembered: (shapes) => findRememberedFields(deps.database, tenant, shapes),
});

/** Waits until there is memory to read a list. */
const inTurn = <T>(deps: PayoutDeps, { merchantId }: Tenant, work: () => Promise<T>): Promise<T> =>
  deps.uploads.holding(merchantId, LIST_MEMORY_BYTES, work);

async function usingFile<T>(file: Spooled, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}

/** The content of the request: the file and the values of the fields, however the form is written. */
function formContent(file: Spooled, settings: BatchSettings, options: ReadingOptions): string {
  const { purpose, controlCount, controlTotalMinor } = settings;
  const controls = [controlCount ?? null, controlTotalMinor?.toString() ?? null];
  return JSON.stringify([file.sha256, purpose, ...controls, ...optionsContent(options)]);
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
  if (idempotency === undefined || idempotency.key === null) return inTurn(deps, tenant, () => read(idempotency));
  const inputHash = hash('sha256', `POST /payout/bulk\n${content}`, 'base64url');
  const bound: IdempotencyKey = { ...idempotency, inputHash };
  bindKey(bound);
  const earlier = () => deps.ledger.findAnswer(tenant, bound);
  // An equal request may have been read while this one waited.
  return (await earlier()) ?? inTurn(deps, tenant, async () => (await earlier()) ?? read(bound));
}
