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
 * Writes rows as items of a batch that does not exist yet, piece after piece, each corrected. Memory holds two pieces.
 */
export async function keepRows(
  deps: Pick<PayoutDeps, 'database' | 'banks'>,
  upload: UploadRow,
  pieces: AsyncIterable<readonly GivenRow[]>,
): Promise<KeptRows> {
  const findBank = await createBankFinder(deps.banks);
  const counted = { count: 0, totalMinor: 0n, warned: 0 };
  // The next piece is made while the last one is on its way.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const piece of pieces) {
      const items: GivenItemRow[] = [];
      for (const given of piece) {
        const row = await takeRow(given, findBank);
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

function warningsOf({ warned }: { warned: number }): string[] {
  if (warned === 0) return [];
  const rows = warned === 1 ? '1 row was corrected or looks' : `${warned} rows were corrected or look`;
  return [`${rows} odd; see the warnings of the items.`];
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
