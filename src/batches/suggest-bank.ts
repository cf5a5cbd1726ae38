import { ratio } from 'fuzzball';
import type { Bank, Banks } from '../banks/index.ts';

/** What people write for a brand of a bank, without spaces and marks: no directory has these names. */
const BRANDS: Readonly<Record<string, string>> = {
  alat: '035',
  alatbywema: '035',
  wemaalat: '035',
  gtworld: '058',
  firstmobile: '011',
};
/** Below it, two names are two banks. */
const ALIKE = 80;
const COMMON = /\b(?:the|bank|banks|plc|ltd|limited|nigeria|nig|of)\b/g;

const squeezed = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(COMMON, ' ')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The bank that somebody most likely meant; undefined where that is a guess between two. A person has to say yes. */
export async function suggestBank(banks: Banks, given: string): Promise<Bank | undefined> {
  const wanted = squeezed(given);
  const brand = BRANDS[wanted];
  if (brand !== undefined) return banks.findBank(brand);
  if (wanted.length < 3) return undefined;
  const ranked = (await banks.listBanks())
    .filter(({ active }) => active)
    .map((bank) => ({ bank, score: Math.max(...[bank.name, bank.shortName].map((name) => likeness(wanted, name))) }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = ranked;
  if (best === undefined || best.score < ALIKE || best.score === next?.score) return undefined;
  return best.bank;
}

const likeness = (wanted: string, name: string): number => ratio(wanted, squeezed(name), { full_process: false });
