import type { Database } from '../platform/db/database.ts';
import { columnArrays, rowsFor, type SetQuestion } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { Mode } from '../platform/tenant.ts';
import {
  type CreditToNote,
  type DirectoryCredit,
  findAccountsOfCredits,
  findBookedCredits,
  findNotedCredits,
  insertNotedCredits,
  type NotedCredit,
} from './directory-queries.ts';
import { updateOpenCreditsDone } from './open-credit-queries.ts';

/** Whose payment each transfer at a provider is: noted once, for ever, before it is booked. */
export interface CreditDirectory {
  /** Whose payment a transfer is that was noted before; undefined where it never was. */
  findNoted(
    key: Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>,
  ): Promise<NotedCredit | undefined>;
  /** The same, and notes it for the wallet that has the number now; undefined where no wallet has it. */
  note(credit: CreditToNote): Promise<NotedCredit | undefined>;
  /** What was kept under these names has become a payment. */
  end(kept: { rail: string; keys: readonly string[]; at: Date }): Promise<void>;
}

/** Credits that come at once are looked up, and noted, by one statement each. */
export function createCreditDirectory(database: Database): CreditDirectory {
  async function find(
    keys: readonly Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>[],
  ): Promise<(NotedCredit | undefined)[]> {
    const rows = keys.map(({ rail, provider_transaction_id, session_id }) => ({
      rail,
      provider_transaction_id,
      session_id,
    }));
    const found: (NotedCredit | undefined)[] = keys.map(() => undefined);
    const noted = await database.query<DirectoryCredit>(
      findNotedCredits,
      columnArrays(...rowsFor(findNotedCredits, rows)),
    );
    const [accounts, booked] = await Promise.all([
      ofEach(findAccountsOfCredits, noted, ({ virtual_account_id }) => virtual_account_id),
      ofEach(findBookedCredits, noted, ({ payment_id }) => payment_id),
    ]);
    for (const { place, ...credit } of noted) {
      const { customer_id, closed_at } = accounts.get(place) ?? { customer_id: null, closed_at: null };
      const amount_minor = booked.get(place)?.amount_minor ?? null;
      const is_posted = credit.merchant_id === null || amount_minor !== null;
      found[place - 1] = { ...credit, customer_id, closed_at, is_posted, amount_minor };
    }
    return found;
  }

  /** What a merchant's table says of credits, by their place; those without an id have nothing there. */
  async function ofEach<Found extends { place: number }>(
    question: SetQuestion<{ merchant_id: string; mode: Mode; id: string }, Found>,
    credits: readonly DirectoryCredit[],
    idOf: (credit: DirectoryCredit) => string | null,
  ): Promise<Map<number, Found>> {
    const asked = credits.flatMap((credit) => {
      const { merchant_id, mode, place } = credit;
      const id = idOf(credit);
      return merchant_id === null || id === null ? [] : [{ place, row: { merchant_id, mode, id } }];
    });
    if (asked.length === 0) return new Map();
    const values = columnArrays(
      ...rowsFor(
        question,
        asked.map(({ row }) => row),
      ),
    );
    const rows = await database.query<Found>(question, values);
    return new Map(rows.map((row) => [asked[row.place - 1]?.place ?? 0, row]));
  }
  return {
    findNoted: createGroupReader(find),
    note: createGroupReader(async (credits: CreditToNote[]) => {
      await database.run(...rowsFor(insertNotedCredits, credits));
      return find(credits);
    }),
    end: createGroupReader(async (ended: Parameters<CreditDirectory['end']>[0][]) => {
      const named = ended.flatMap(({ rail, keys, at }) => keys.map((credit_key) => ({ rail, credit_key, at })));
      const rows = [...new Map(named.map((row) => [`${row.rail}/${row.credit_key}`, row])).values()];
      await database.run(...rowsFor(updateOpenCreditsDone, rows));
      return ended.map(() => undefined);
    }),
  };
}
