import { nameWords, type wordScore, wordsScore } from '../banks/index.ts';
import { createLruMap } from '../platform/cache.ts';
import { startLongWork } from '../platform/give-way.ts';
import { createLikelyNames } from './likely-names.ts';
import type { EntryRow, ListRow } from './queries.ts';

/** From this score on a name is a hit: both of two words nearly as they are, in any order, with others between them. */
export const HIT_FROM = 90;
/** What a case shows at most. */
const MAX_HITS = 10;

export interface ScreeningSubject {
  name: string | null;
  accountNumber: string | null;
  /** Of the account, where it is known. */
  bankCode: string | null;
}

/** What of a list a subject is like, and how much, 0 to 100. */
export interface ScreeningHit {
  list: string;
  listId: string;
  entryNumber: number;
  /** The name that it is like; of an account the name beside it. */
  name: string;
  by: 'NAME' | 'ACCOUNT';
  score: number;
}

interface Named {
  entry: EntryRow;
  list: string;
  name: string;
  words: readonly string[];
}

export interface NameIndex {
  find(subject: ScreeningSubject): ScreeningHit[];
  /** Compares names, so that what they are like is known when it is asked for, and gives way between them. */
  compareAhead(names: readonly string[]): Promise<void>;
}

/** Names that were compared, and what they are like: a payroll has the same ones each month. */
const MAX_COMPARED = 20_000;

/**
 * Made once a version of the lists: a subject is compared with the few names whose words begin as its own do, and the same name
 * once while the version counts.
 */
export function createNameIndex(
  lists: readonly { list: Pick<ListRow, 'name'>; entries: readonly EntryRow[] }[],
  scoreOf?: typeof wordScore,
): NameIndex {
  const compared = createLruMap<readonly ScreeningHit[]>(MAX_COMPARED);
  const named: Named[] = [];
  const byAccount = new Map<string, Named[]>();
  for (const { list, entries } of lists) {
    for (const entry of entries) {
      for (const name of [entry.name, ...(JSON.parse(entry.aliases) as string[])]) {
        const words = nameWords(name);
        named.push({ entry, list: list.name, name, words });
      }
      if (entry.account_number !== null) {
        const account = { entry, list: list.name, name: entry.name, words: [] };
        const known = byAccount.get(entry.account_number);
        if (known === undefined) byAccount.set(entry.account_number, [account]);
        else known.push(account);
      }
    }
  }
  const likely = createLikelyNames(
    named.map(({ words }) => words),
    HIT_FROM,
    scoreOf,
  );
  const hitsOf = (words: readonly string[]): readonly ScreeningHit[] => {
    if (words.length === 0) return [];
    const key = words.join(' ');
    const known = compared.get(key);
    if (known !== undefined) return known;
    const hits = likely(words).flatMap((at) => hitOf(named[at], words));
    compared.set(key, hits);
    return hits;
  };
  return {
    find({ name, accountNumber, bankCode }) {
      const byName = hitsOf(name === null ? [] : nameWords(name));
      const number = (accountNumber ?? '').replaceAll(/\D/g, '');
      const accounts = (byAccount.get(number) ?? [])
        .filter(({ entry }) => entry.bank_code === null || bankCode === null || entry.bank_code === bankCode)
        .map(({ entry, list, name: shown }) => ({
          ...shownOf(entry, list),
          name: shown,
          by: 'ACCOUNT' as const,
          score: 100,
        }));
      return [...accounts, ...byName].sort((a, b) => b.score - a.score).slice(0, MAX_HITS);
    },
    async compareAhead(names) {
      const work = startLongWork();
      for (const name of names) {
        hitsOf(nameWords(name));
        await work.giveWay();
      }
    },
  };
}

const shownOf = (entry: EntryRow, list: string) => ({ list, listId: entry.list_id, entryNumber: entry.entry_number });

function hitOf(named: Named | undefined, words: readonly string[]): ScreeningHit[] {
  if (named === undefined) return [];
  const score = wordsScore(words, named.words);
  return score < HIT_FROM ? [] : [{ ...shownOf(named.entry, named.list), name: named.name, by: 'NAME', score }];
}
