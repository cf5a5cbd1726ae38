import { type Static, Type } from 'typebox';
import { parseItemAmount } from '../batches/index.ts';
import { parseAmount } from '../money/index.ts';
import { AppError, type FieldError } from '../platform/errors.ts';
import { compileCheck, validationError } from '../platform/http/validation.ts';
import type { ProblemData } from '../platform/problem.ts';
import { readJsonList } from '../platform/spreadsheet/read-file.ts';
import type { BatchSettings } from './create-batch.ts';
import { listProblem } from './errors.ts';
import type { GivenRow } from './read-row.ts';
import type { RowSource } from './rows-of-sheet.ts';
import { BatchSettings as BatchSettingsBody, CreateBatchBody, ItemBody, MAX_ITEMS } from './schemas.ts';

export type Item = Static<typeof ItemBody>;

/** So many items are kept together, as many as of a file. */
const PIECE_ITEMS = 1_000;

/** One refusal lists at most so many errors. */
const MAX_MISTAKES = 20;

type Defaults = NonNullable<Static<typeof BatchSettingsBody>['defaults']>;

/** The fields of an item that the defaults of its list can fill. */
const LEFT_TO_DEFAULTS = ['narration', 'bankCode'] as const;

/** Whether the item lacks the field, as an empty cell of a file does. */
const lacks = (item: Item, field: (typeof LEFT_TO_DEFAULTS)[number]): boolean => (item[field] ?? '') === '';

/** How many items took each of the defaults. */
type DefaultsUsed = Record<(typeof LEFT_TO_DEFAULTS)[number], number>;
const NONE_USED: DefaultsUsed = { narration: 0, bankCode: 0 };

/** Warnings that defaults were used, which show how the list was understood. */
const usedWarnings = (used: DefaultsUsed): ProblemData[] =>
  LEFT_TO_DEFAULTS.filter((field) => used[field] > 0).map((field) =>
    listProblem('DEFAULT_USED', { column: field, rows: used[field] }),
  );

/** The items of a body that has been validated. */
export function rowsOfItems(items: readonly Item[], defaults: Defaults = {}): RowSource {
  const used = { ...NONE_USED };
  async function* pieces(): AsyncGenerator<GivenRow[]> {
    for (let start = 0; start < items.length; start += PIECE_ITEMS) {
      yield givenItems(items.slice(start, start + PIECE_ITEMS), start, { defaults, used });
    }
  }
  return { pieces: pieces(), warnings: () => usedWarnings(used) };
}

/**
 * The same from JSON that is open as `fd` and that nobody has looked at: it is parsed in a thread and validated in pieces.
 * Its other members are known at the end.
 * @throws AppError as the validation of a body does.
 */
export function rowsOfJson(fd: number): RowSource & { settings(): BatchSettings } {
  const reading = readJsonList(fd, 'items');
  const used = { ...NONE_USED };
  let known: Defaults | undefined;
  async function* pieces(): AsyncGenerator<GivenRow[]> {
    let taken = 0;
    for await (const piece of reading.pieces) {
      if (taken + piece.length > MAX_ITEMS) validate(checkCount, { items: new Array(MAX_ITEMS + 1).fill(null) });
      validate(checkItems, { items: piece }, taken);
      // The defaults may stand behind the items. They are looked for only where an item needs one.
      if ((piece as Item[]).some((item) => LEFT_TO_DEFAULTS.some((field) => lacks(item, field)))) {
        known ??= await defaultsOf(fd);
      }
      yield givenItems(piece as Item[], taken, { defaults: known ?? {}, used });
      taken += piece.length;
    }
    // The members of the body are validated, so that a list that is missing or empty is refused.
    if (taken === 0) validate(checkBody, { items: [], ...reading.end() });
    validate(checkSettings, reading.end());
  }
  return {
    pieces: pieces(),
    warnings: () => usedWarnings(used),
    settings: () => settingsOf(reading.end()),
  };
}

/**
 * Reads the defaults of a list and skips its items.
 * @throws AppError `VALIDATION_FAILED`
 */
async function defaultsOf(fd: number): Promise<Defaults> {
  const reading = readJsonList(fd, 'items');
  for await (const _ of reading.pieces);
  const members = reading.end();
  validate(checkSettings, members);
  return (members as Static<typeof BatchSettingsBody>).defaults ?? {};
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
function givenItems(
  items: readonly Item[],
  offset: number,
  { defaults, used }: { defaults: Defaults; used: DefaultsUsed },
): GivenRow[] {
  const mistakes: FieldError[] = [];
  for (const [at, item] of items.entries()) {
    const { amount } = item;
    if (mistakes.length >= MAX_MISTAKES) break;
    for (const field of LEFT_TO_DEFAULTS) if (lacks(item, field) && (defaults[field] ?? '') !== '') used[field] += 1;
    try {
      parseItemAmount(amount);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const [message = ''] = error.errors?.map((one) => one.message) ?? [];
      mistakes.push({ field: `items.${offset + at}.amount`, message });
    }
  }
  if (mistakes.length > 0) throw validationError(mistakes);
  return items.map((item, at) => givenItem(item, offset + at + 1, defaults));
}

function givenItem(item: Item, position: number, defaults: Defaults): GivenRow {
  const or = (field: (typeof LEFT_TO_DEFAULTS)[number]) =>
    lacks(item, field) ? (defaults[field] ?? '') : (item[field] ?? '');
  return {
    position,
    amount: String(item.amount),
    bankCode: or('bankCode'),
    bankName: '',
    accountNumber: item.accountNumber,
    givenName: item.accountName ?? '',
    narration: or('narration'),
    phoneNumber: item.phoneNumber ?? '',
    complaint: null,
  };
}

const checkItems = compileCheck(Type.Object({ items: Type.Array(ItemBody) }));
const checkCount = compileCheck(Type.Object({ items: Type.Array(Type.Unknown(), { maxItems: MAX_ITEMS }) }));
const checkSettings = compileCheck(BatchSettingsBody);
const checkBody = compileCheck(CreateBatchBody);

/** Adds `offset` to the number of the item that is wrong. */
function validate(check: ReturnType<typeof compileCheck>, value: unknown, offset = 0): void {
  const mistakes = check(value).map(({ field, message }) => ({
    field: field.replace(/^items\.(\d+)/, (_, at: string) => `items.${Number(at) + offset}`),
    message,
  }));
  if (mistakes.length > 0) throw validationError(mistakes);
}
