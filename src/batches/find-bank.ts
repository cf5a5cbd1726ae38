import { ratio } from 'fuzzball';
import { type Bank, type Banks, couldBe, ratioBound } from '../banks/index.ts';
import { type ProblemData, shortened } from '../platform/problem.ts';
import { itemProblem } from './problems.ts';

export interface FoundBank {
  /** A code of the directory, or the text as it was given. Such a text finds no bank, so the item cannot be paid. */
  code: string;
  complaint?: ProblemData;
  warning?: ProblemData;
}

/**
 * Names in use for banks that the directory lists under another name. The names on the left have no spaces and marks.
 */
const ALIASES: Readonly<Record<string, string>> = {
  gtb: '058',
  gtco: '058',
  guarantytrust: '058',
  guaranty: '058',
  fbn: '011',
  firstbanknig: '011',
  fcmb: '214',
  firstcity: '214',
  uba: '033',
  ubn: '032',
  union: '032',
  zenithinternational: '057',
  eco: '050',
  scb: '068',
  standardchartered: '068',
  stanbic: '221',
  ibtc: '221',
  stanbicibtc: '221',
  diamond: '063',
  accessdiamond: '063',
  ninepsb: '120001',
  '9psb': '120001',
  hope: '120002',
  opay: '999992',
  paycom: '999992',
  palmpay: '999991',
  moniepoint: '50515',
  kuda: '50211',
  vfd: '566',
  taj: '000026',
};

/** Names in use for a bank that are not its name: a product of it, or a former name. */
const NICKNAMES: Readonly<Record<string, string>> = { alat: '035', alatbywema: '035', alatwema: '035' };
/** From this score on, two names count as one with a typing error. */
const SIMILAR = 80;
const MAX_NAME = 60;
/** A longer text is the name of no bank, however it is spaced. It is not searched for, and costs only its length. */
const MAX_GIVEN = 300;

/** Both names are squeezed already. */
const SQUEEZED = { full_process: false };

/** Words that banks have in common, and that people leave out. */
const COMMON = /\b(?:the|bank|banks|plc|ltd|limited|nigeria|nig|ng|of|for|microfinance|mfb|mobile|money)\b/g;
const MIN_PARTIAL = 3;
/**
 * The banks of so many texts are remembered for one list. A list has few banks, and a hostile one gets no more than
 * this.
 */
const MAX_REMEMBERED = 2_000;
/**
 * Different names of one list that no bank has and that are held against all names of the directory, for what may have been
 * meant. Each takes a thousand comparisons; people who write a list misspell some dozens of banks at most.
 */
const MAX_SEARCHED = 300;

/** Looks for banks by their names, for one list. */
function createNameSearch(banks: readonly Bank[]) {
  const directory = banks.map((bank) => ({
    bank,
    names: new Set([squeezed(bank.name), squeezed(bank.shortName)]),
    core: squeezed(withoutCommon(bank.name)),
    words: squeezed(`${bank.name} ${bank.shortName}`),
  }));
  const byCore = Map.groupBy(directory, ({ core }) => core);
  const allNames = new Set(directory.flatMap(({ names }) => [...names]));
  const allWords = directory.map(({ words }) => words).join('\n');
  const searched = new Map<string, Bank[]>();

  function byName(name: string): { bank: Bank; sure: boolean } | Bank[] {
    if (name.length > MAX_GIVEN) return [];
    const whole = squeezed(name);
    const part = squeezed(withoutCommon(name));
    const alias = ALIASES[whole] ?? ALIASES[part];
    // For a name that no bank has, one look at the set of all names is enough.
    const isExact = alias !== undefined || allNames.has(whole);
    const fits = couldBe(name);
    const exact = isExact
      ? directory.filter(({ bank, names }) => names.has(whole) || (bank.code === alias && fits(bank)))
      : [];
    const [first] = exact;
    if (first !== undefined) return exact.length === 1 ? { bank: first.bank, sure: true } : exact.map(bankOf);
    if (part.length < MIN_PARTIAL) return [];
    // "Zenith Bank Plc" is Zenith Bank, but "First" alone may be the beginning of another name too.
    const same = part === whole ? [] : (byCore.get(part) ?? []).filter(({ bank }) => fits(bank));
    const isPart = same.length === 0 && allWords.includes(part);
    const partial = isPart ? directory.filter(({ bank, words }) => words.includes(part) && fits(bank)) : same;
    const [only] = partial;
    return only !== undefined && partial.length === 1 ? { bank: only.bank, sure: false } : partial.map(bankOf);
  }

  /**
   * Banks whose names are nearly the one that was written. The sender is asked about them, and they are never paid
   * without an answer. None after so many names.
   */
  function similar(name: string): Bank[] {
    if (name.length > MAX_GIVEN) return [];
    const part = squeezed(withoutCommon(name)).slice(0, MAX_NAME);
    if (part.length < MIN_PARTIAL) return [];
    const found = searched.get(part);
    if (found !== undefined) return found.filter(couldBe(name));
    if (searched.size === MAX_SEARCHED) return [];
    const known = NICKNAMES[part];
    const likely = directory
      .filter(({ bank, core }) => bank.code === known || ratioBound(part.length, core.length) >= SIMILAR)
      .map(({ bank, core }) => ({ bank, score: bank.code === known ? 100 : ratio(part, core, SQUEEZED) }))
      .filter(({ score }) => score >= SIMILAR)
      .toSorted((a, b) => b.score - a.score)
      .map(bankOf);
    searched.set(part, likely);
    return likely.filter(couldBe(name));
  }

  return { byName, similar };
}

/** Finds a bank by what was given for its code and for its name; either may be empty. */
export type FindBank = (code: string, name: string) => Promise<FoundBank>;

/**
 * Finds the bank of each row of one list, by code or by name: a name may be the full one, the short one, one in common
 * use, or a part that only one bank has. The directory is read for names once there is one.
 */
export function createBankFinder(banks: Banks): FindBank {
  let search: Promise<ReturnType<typeof createNameSearch>> | undefined;
  const remembered = new Map<string, FoundBank>();

  function searchNames(): Promise<ReturnType<typeof createNameSearch>> {
    search ??= banks.listBanks().then(createNameSearch);
    return search;
  }

  async function foundByName(name: string): Promise<FoundBank> {
    const { byName, similar } = await searchNames();
    const found = byName(name);
    if (!Array.isArray(found)) {
      const { bank, sure } = found;
      if (sure) return { code: bank.code };
      const read = { given: shortened(name), bankName: bank.name, bankCode: bank.code };
      const warning = itemProblem('BANK_NAME_CORRECTED', read);
      return { code: bank.code, warning };
    }
    const given = shortened(name);
    const named = found.length > 0 ? found : similar(name);
    if (named.length === 0) return { code: name, complaint: itemProblem('BANK_NAME_NOT_FOUND', { given }) };
    const candidates = named.slice(0, 5).map((bank) => `${bank.name} (${bank.code})`);
    return { code: name, complaint: itemProblem('BANK_NAME_AMBIGUOUS', { given, candidates }) };
  }

  async function find(code: string, name: string): Promise<FoundBank> {
    const text = code === '' ? name : code;
    if (text === '') return { code: '', complaint: itemProblem('BANK_MISSING', {}) };
    if (!/^\d+$/.test(text)) return foundByName(text);
    const isNamed = code !== '' && name !== '' && !/^\d+$/.test(name);
    const named = isNamed ? (await searchNames()).byName(name) : [];
    const meant = Array.isArray(named) ? undefined : named.bank.code;
    const found = await byCode(banks, text, meant);
    if (meant === undefined || found.complaint !== undefined) return found;
    if ((await banks.findBank(found.code))?.code === meant) return found;
    return {
      ...found,
      warning: itemProblem('BANK_CODE_AND_NAME_DIFFER', { bankCode: found.code, given: shortened(name) }),
    };
  }

  return async (code, name) => {
    const key = `${code}\n${name}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const found = await find(code, name);
    if (remembered.size < MAX_REMEMBERED) remembered.set(key, found);
    return found;
  };
}

/** Nine digits name a branch, and the first three its bank. A spreadsheet may have dropped the leading zero. */
const SORT_CODE = /^(?:[1-9]\d{7}|\d{9})$/;

const NETWORK_DIGITS = 6;

/**
 * A spreadsheet takes the leading zero of 044 or of 060001. Two zeros are not put back: then it could be another code. Nor is
 * one where the code of another bank on the network may have lost four: 23 is left of 023 and of 000023.
 * @param meant the code of the bank that the row names besides
 */
async function byCode(banks: Banks, text: string, meant: string | undefined): Promise<FoundBank> {
  if (SORT_CODE.test(text)) {
    const bank = await banks.findBank(text.padStart(9, '0').slice(0, 3));
    if (bank === undefined) return { code: text };
    const read = { given: text, bankName: bank.name, bankCode: bank.code };
    return { code: bank.code, warning: itemProblem('BANK_CODE_FROM_SORT_CODE', read) };
  }
  const mayLackZero = (text.length === 2 || text.length === 5) && !text.startsWith('0');
  if (!mayLackZero || (await banks.findBank(text)) !== undefined) return { code: text };
  const padded = [`0${text}`, text.padStart(NETWORK_DIGITS, '0')];
  const read = await Promise.all(padded.map(async (code) => ({ code, bank: await banks.findBank(code) })));
  const [first, onNetwork] = read;
  if (first?.bank === undefined) return { code: text };
  const isUnclear = onNetwork?.bank !== undefined && onNetwork.bank.code !== first.bank.code;
  const found = isUnclear ? read.find(({ bank }) => bank?.code === meant) : first;
  if (found === undefined) {
    const candidates = read.flatMap(({ bank }) => (bank === undefined ? [] : [`${bank.name} (${bank.code})`]));
    return { code: text, complaint: itemProblem('BANK_NAME_AMBIGUOUS', { given: text, candidates }) };
  }
  return { code: found.code, warning: itemProblem('BANK_CODE_ZERO_ADDED', { given: text, bankCode: found.code }) };
}

const bankOf = ({ bank }: { bank: Bank }): Bank => bank;

function withoutCommon(name: string): string {
  return name.toLowerCase().replaceAll(COMMON, ' ');
}

function squeezed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
