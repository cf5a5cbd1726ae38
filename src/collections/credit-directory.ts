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
  type NewlyNoted,
  type NotedCredit,
} from './directory-queries.ts';
import { updateOpenCreditsDone } from './open-credit-queries.ts';

/** Says whose payment each transfer at a provider is: noted once, for ever, before the transfer is booked. */
export interface CreditDirectory {
  /** The owner of a transfer that was noted before; undefined where it never was. */
  findNoted(
    key: Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>,
  ): Promise<NotedCredit | undefined>;
  /**
   * The owner of a transfer. Where it was not noted before, notes it for the wallet that has the number now; undefined
   * where no wallet has it.
   */
  note(credit: CreditToNote): Promise<NotedCredit | undefined>;
  /** Ends the open credits under these names: they have become a payment. */
  end(kept: { rail: string; keys: readonly string[]; at: Date }): Promise<void>;
}

type CreditKey = Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>;

/** Credits that come at once are looked up, and noted, by one statement each. */
export function createCreditDirectory(database: Database): CreditDirectory {
  async function find(keys: readonly CreditKey[]): Promise<(NotedCredit | undefined)[]> {
    const rows = keys.map(({ rail, provider_transaction_id, session_id }) => ({
      rail,
      provider_transaction_id,
      session_id,
    }));
    const noted = await database.query<DirectoryCredit>(
      findNotedCredits,
      columnArrays(...rowsFor(findNotedCredits, rows)),
    );
    const [accounts, booked] = await Promise.all([
      accountsOf(noted),
      ofEach(findBookedCredits, noted, ({ payment_id }) => payment_id),
    ]);
    const found: (NotedCredit | undefined)[] = keys.map(() => undefined);
    for (const { place, ...credit } of noted) {
      const amount_minor = booked.get(place)?.amount_minor ?? null;
      const is_posted = credit.merchant_id === null || amount_minor !== null;
      found[place - 1] = { ...credit, ...(accounts.get(place) ?? NO_ACCOUNT), is_posted, amount_minor };
    }
    return found;
  }

  const accountsOf = (credits: readonly DirectoryCredit[]) =>
    ofEach(findAccountsOfCredits, credits, ({ virtual_account_id }) => virtual_account_id);

  /** What a merchant's table has for credits, by their place; credits without an id have nothing there. */
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

  /** A credit that was noted just now is no payment yet, so only those that were noted before are looked up. */
  async function note(credits: readonly CreditToNote[]): Promise<(NotedCredit | undefined)[]> {
    const inserted = await database.query<NewlyNoted>(
      insertNotedCredits,
      columnArrays(...rowsFor(insertNotedCredits, credits)),
    );
    const byPayment = new Map(inserted.map((row) => [row.payment_id, row]));
    const places = credits.map((credit, at) => ({ credit, place: at + 1, row: byPayment.get(credit.payment_id) }));
    const ours = places.flatMap(({ place, row }) => (row === undefined ? [] : [{ ...row, place }]));
    const others = places.filter(({ row }) => row === undefined);
    const [accounts, found] = await Promise.all([
      accountsOf(ours),
      others.length === 0 ? [] : find(others.map(({ credit }) => credit)),
    ]);
    const noted: (NotedCredit | undefined)[] = credits.map(() => undefined);
    for (const [at, { place }] of others.entries()) noted[place - 1] = found[at];
    for (const { place, ...row } of ours) {
      noted[place - 1] = { ...row, ...(accounts.get(place) ?? NO_ACCOUNT), ...JUST_NOTED };
    }
    return noted;
  }

  return {
    findNoted: createGroupReader(find),
    note: createGroupReader(note),
    end: createGroupReader(async (ended: Parameters<CreditDirectory['end']>[0][]) => {
      const named = ended.flatMap(({ rail, keys, at }) => keys.map((credit_key) => ({ rail, credit_key, at })));
      const rows = [...new Map(named.map((row) => [`${row.rail}/${row.credit_key}`, row])).values()];
      await database.run(...rowsFor(updateOpenCreditsDone, rows));
      return ended.map(() => undefined);
    }),
  };
}

const NO_ACCOUNT = { customer_id: null, closed_at: null };
const JUST_NOTED = { is_posted: false, amount_minor: null };
