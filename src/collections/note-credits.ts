import type { Database } from '../platform/db/database.ts';
import { columnArrays, rowsFor } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { type CreditToNote, findNotedCredits, insertNotedCredits, type NotedCredit } from './directory-queries.ts';
import { updateOpenCreditsDone } from './open-credit-queries.ts';

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
    const values = columnArrays(...rowsFor(findNotedCredits, rows));
    for (const { place, ...noted } of await database.query<NotedCredit & { place: number }>(findNotedCredits, values)) {
      found[place - 1] = noted;
    }
    return found;
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
