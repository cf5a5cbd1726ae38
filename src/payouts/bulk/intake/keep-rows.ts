import { newId } from '../../../platform/ids.ts';
import type { PayoutDeps } from '../../deps.ts';
import { createBankFinder } from './find-bank.ts';
import type { GivenRow, TakenRow } from './given-row.ts';
import { type GivenItemRow, insertGivenItems, type UploadRow } from './queries.ts';
import { takeRow } from './take-row.ts';

/** What came of all rows together. */
export interface KeptRows {
  count: number;
  /** In kobo, whatever the rows say, also what cannot be paid. */
  totalMinor: bigint;
  /** Sentences about the list as a whole. */
  warnings: string[];
}

/**
 * Writes rows as items of a batch that does not exist yet, piece after piece, each mended and looked at beside those
 * before it. Memory holds two pieces, and one short entry a row to find the same payment again.
 */
export async function keepRows(
  deps: Pick<PayoutDeps, 'database' | 'banks'>,
  upload: UploadRow,
  pieces: AsyncIterable<readonly GivenRow[]>,
): Promise<KeptRows> {
  const findBank = await createBankFinder(deps.banks);
  const firstOf = new Map<string, number>();
  const counted = { count: 0, totalMinor: 0n, warned: 0, repeated: 0 };
  // The next piece is made while the last one is on its way.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const piece of pieces) {
      const items: GivenItemRow[] = [];
      for (const given of piece) {
        const row = await takeRow(given, findBank);
        if (isRepeated(row, firstOf)) counted.repeated += 1;
        if (row.warnings.length > 0) counted.warned += 1;
        counted.count += 1;
        counted.totalMinor += row.countedMinor;
        items.push(itemRow(upload, row));
      }
      await writing;
      writing = deps.database.run(insertGivenItems, items);
      writing.catch(() => undefined);
    }
  } finally {
    // Whoever removes the rows must not be overtaken by the last of them.
    await writing.catch(() => undefined);
  }
  await writing;
  return { count: counted.count, totalMinor: counted.totalMinor, warnings: warningsOf(counted) };
}

/** Told on every row but the first: one of two like payments is often a slip, and sometimes meant. */
function isRepeated(row: TakenRow, firstOf: Map<string, number>): boolean {
  if (row.accountNumber === '' || row.amountMinor <= 0n) return false;
  const key = `${row.bankCode}/${row.accountNumber}/${row.amountMinor}`;
  const first = firstOf.get(key);
  if (first === undefined) {
    firstOf.set(key, row.position);
    return false;
  }
  row.warnings.push(`Row ${first} has the same bank, account and amount.`);
  return true;
}

function warningsOf({ warned, repeated }: { warned: number; repeated: number }): string[] {
  const rows = (number: number, one: string, many: string) =>
    number === 1 ? `1 row ${one}` : `${number} rows ${many}`;
  return [
    ...(warned === 0
      ? []
      : [`${rows(warned, 'was mended or looks', 'were mended or look')} odd; see the warnings of the items.`]),
    ...(repeated === 0 ? [] : [`${rows(repeated, 'has', 'have')} the same bank, account and amount as one before.`]),
  ];
}

function itemRow(upload: UploadRow, row: TakenRow): GivenItemRow {
  return {
    merchant_id: upload.merchant_id,
    mode: upload.mode,
    id: newId(),
    batch_id: upload.batch_id,
    position: row.position,
    amount_minor: row.amountMinor,
    given_amount: row.givenAmount,
    bank_code: row.bankCode,
    account_number: row.accountNumber,
    narration: row.narration,
    phone_number: row.phoneNumber,
    given_name: row.givenName,
    warnings: row.warnings.length === 0 ? null : JSON.stringify(row.warnings),
    created_at: upload.started_at as string,
  };
}
