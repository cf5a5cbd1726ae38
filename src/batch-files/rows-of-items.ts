import { type Static, Type } from 'typebox';
import { parseItemAmount } from '../batches/index.ts';
import { parseAmount } from '../money/index.ts';
import { AppError, type FieldError } from '../platform/errors.ts';
import { compileCheck, validationError } from '../platform/http/validation.ts';
import { readJsonList } from '../platform/spreadsheet/read-file.ts';
import type { BatchSettings } from './create-batch.ts';
import type { GivenRow } from './given-row.ts';
import type { RowSource } from './rows-of-sheet.ts';
import { BatchSettings as BatchSettingsBody, CreateBatchBody, ItemBody, MAX_ITEMS } from './schemas.ts';

export type Item = Static<typeof ItemBody>;

/** Items that are kept together: as many as a file is read in. */
const PIECE_ITEMS = 1_000;

/** As many as one refusal lists. */
const MAX_MISTAKES = 20;

/** The items of a body that has been validated. */
export function rowsOfItems(items: readonly Item[]): RowSource {
  async function* pieces(): AsyncGenerator<GivenRow[]> {
    for (let start = 0; start < items.length; start += PIECE_ITEMS) {
      yield givenItems(items.slice(start, start + PIECE_ITEMS), start);
    }
  }
  return { pieces: pieces(), warnings: () => [] };
}

/**
 * The same from JSON that is open as `fd` and that nobody has looked at: it is parsed in a thread and validated in pieces.
 * Its other members are known at the end.
 * @throws AppError as the validation of a body does.
 */
export function rowsOfJson(fd: number): RowSource & { settings(): BatchSettings } {
  const reading = readJsonList(fd, 'items');
  async function* pieces(): AsyncGenerator<GivenRow[]> {
    let taken = 0;
    for await (const piece of reading.pieces) {
      if (taken + piece.length > MAX_ITEMS) validate(checkCount, { items: new Array(MAX_ITEMS + 1).fill(null) });
      validate(checkItems, { items: piece }, taken);
      yield givenItems(piece as Item[], taken);
      taken += piece.length;
    }
    // Without a list at all, or with an empty one, the members say so.
    if (taken === 0) validate(checkBody, { items: [], ...reading.end() });
    validate(checkSettings, reading.end());
  }
  return {
    pieces: pieces(),
    warnings: () => [],
    settings: () => settingsOf(reading.end()),
  };
}

/** @throws AppError `VALIDATION_FAILED` */
export function settingsOf(body: Static<typeof BatchSettingsBody>): BatchSettings {
  return {
    purpose: body.purpose ?? 'GENERAL',
    controlCount: body.controlCount,
    controlTotalMinor:
      body.controlTotal === undefined ? undefined : parseAmount(body.controlTotal, 'controlTotal', { allowZero: true }),
  };
}

/** @throws AppError `VALIDATION_FAILED` with every amount that is finer than a kobo */
function givenItems(items: readonly Item[], offset: number): GivenRow[] {
  const mistakes: FieldError[] = [];
  for (const [at, { amount }] of items.entries()) {
    if (mistakes.length >= MAX_MISTAKES) break;
    try {
      parseItemAmount(amount);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const [message = ''] = error.errors?.map((one) => one.message) ?? [];
      mistakes.push({ field: `items.${offset + at}.amount`, message });
    }
  }
  if (mistakes.length > 0) throw validationError(mistakes);
  return items.map((item, at) => givenItem(item, offset + at + 1));
}

function givenItem(item: Item, position: number): GivenRow {
  return {
    position,
    amount: String(item.amount),
    bankCode: item.bankCode,
    bankName: '',
    accountNumber: item.accountNumber,
    givenName: item.accountName ?? '',
    narration: item.narration,
    phoneNumber: item.phoneNumber ?? '',
    complaint: null,
  };
}

const checkItems = compileCheck(Type.Object({ items: Type.Array(ItemBody) }));
const checkCount = compileCheck(Type.Object({ items: Type.Array(Type.Unknown(), { maxItems: MAX_ITEMS }) }));
const checkSettings = compileCheck(BatchSettingsBody);
const checkBody = compileCheck(CreateBatchBody);

/** `offset` is added to the number of the item at fault. */
function validate(check: ReturnType<typeof compileCheck>, value: unknown, offset = 0): void {
  const mistakes = check(value).map(({ field, message }) => ({
    field: field.replace(/^items\.(\d+)/, (_, at: string) => `items.${Number(at) + offset}`),
    message,
  }));
  if (mistakes.length > 0) throw validationError(mistakes);
}
