export { type Banks, createBanks } from './create-banks.ts';
export {
  couldBe,
  isSameName,
  LOW_MATCH_BELOW,
  MAX_WORDS,
  matchScore,
  mayLack,
  nameWords,
  ratioBound,
  wordScore,
  wordsScore,
} from './match-name.ts';
export {
  nubanCheckDigit,
  nubanWarning,
} from './nuban.ts';
export type { Bank } from './queries.ts';
