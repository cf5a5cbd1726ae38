import { cacheOne } from '../platform/cache.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Bank, listAllBanks } from './queries.ts';

/** A bank that an operator adds or closes is seen by every process within this. */
const DIRECTORY_MAX_AGE_MS = 60_000;

export interface Banks {
  /**
   * By `bankCode`, or by the six-digit network code. Also finds banks that are not active, so that old records have a
   * name: a new payout checks `active`.
   */
  findBank(code: string): Promise<Bank | undefined>;
  /** The active banks by name. */
  listBanks(): Promise<readonly Bank[]>;
}

interface Directory {
  active: readonly Bank[];
  byCode: ReadonlyMap<string, Bank>;
}

export function createBanks({ database, clock = systemClock }: { database: Database; clock?: Clock }): Banks {
  const load = cacheOne(clock, DIRECTORY_MAX_AGE_MS, async () => toDirectory(await database.query(listAllBanks)));
  return {
    findBank: async (code) => (await load()).byCode.get(code),
    listBanks: async () => (await load()).active,
  };
}

function toDirectory(banks: readonly Bank[]): Directory {
  const byCode = new Map<string, Bank>();
  for (const bank of banks) {
    if (bank.nipCode !== null) byCode.set(bank.nipCode, bank);
  }
  // Second, so that a bank's own code always wins over another's network code.
  for (const bank of banks) byCode.set(bank.code, bank);
  return { active: banks.filter((bank) => bank.active), byCode };
}
