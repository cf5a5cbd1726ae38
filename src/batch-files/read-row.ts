import { ratio } from 'fuzzball';
import { type Bank, type Banks, couldBe, ratioBound } from '../banks/index.ts';
import { cleanText, itemProblem, readAmount } from '../batches/index.ts';
import { type ProblemData, shortened } from '../platform/problem.ts';

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

/**
 * Finds the bank of each row of one list, by code or by name: a name may be the full one, the short one, one in common
 * use, or a part that only one bank has.
 */
export async function createBankFinder(banks: Banks): Promise<(code: string, name: string) => Promise<FoundBank>> {
  const { byName, similar } = createNameSearch(await banks.listBanks());
  const remembered = new Map<string, FoundBank>();

  function foundByName(name: string): FoundBank {
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
    const named = code === '' || name === '' || /^\d+$/.test(name) ? [] : byName(name);
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
const SORT_CODE = /^\d{8,9}$/;

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
  if ((await banks.findBank(text)) !== undefined || (text.length !== 2 && text.length !== 5)) return { code: text };
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

/** No account or phone number is longer than this, however it is written. */
const MAX_NUMBER = 40;
/** Line ends within an amount. 500 above 200 is not 500,200, as it would be in one line. */
const LINE_ENDS = /[\n\v\f\r\u0085\u2028\u2029]+/g;
/** The most warnings of one row. A row that is wrong in every cell has fewer. */
const MAX_WARNINGS = 12;

/**
 * Makes of a row as it was given the one that is kept. Corrected is only what has one meaning, such as a leading zero that a
 * spreadsheet took, and each correction is reported. What is wrong stays wrong, so that the check that follows finds it; where a
 * text is no amount at all, the amount is zero.
 */
export async function takeRow(
  row: GivenRow,
  findBank: Awaited<ReturnType<typeof createBankFinder>>,
): Promise<TakenRow> {
  const complaints = [...(row.complaint === null ? [] : [row.complaint]), ...(row.faults ?? [])];
  // A cell with an error counts as empty, which needs no second error. Moved cells explain every error of the amount.
  const faulty = new Set(row.faults?.map(({ field }) => field));
  if (row.complaint !== null) faulty.add('amount');
  const warnings: ProblemData[] = [];
  const amountText = cleanText(row.amount.trim().replaceAll(LINE_ENDS, ' · '), 'amount', warnings);
  const amount = readAmount(amountText);
  const bank = await findBank(
    cleanText(row.bankCode, 'bankCode', warnings),
    cleanText(row.bankName, 'bankName', warnings),
  );
  for (const { complaint, warning } of [amount, bank]) {
    if (complaint !== undefined && !faulty.has(complaint.field)) complaints.push(complaint);
    if (warning !== undefined) warnings.push(warning);
  }
  const account = readAccount(cleanText(row.accountNumber, 'accountNumber', warnings));
  if (account.complaint !== undefined) complaints.push(account.complaint);
  if (account.warning !== undefined) warnings.push(account.warning);
  // One cell too many may have moved all others, so none of the amounts may be paid.
  const amountMinor = row.complaint === null ? amount.amountMinor : 0n;
  return {
    position: row.position,
    amountMinor,
    countedMinor: amount.countedMinor,
    givenAmount: amountMinor === 0n && amountText !== '0' ? amountText : null,
    bankCode: bank.code,
    accountNumber: account.accountNumber,
    narration: cleanText(row.narration, 'narration', warnings),
    phoneNumber: readPhone(cleanText(row.phoneNumber, 'phoneNumber', warnings), warnings),
    givenName: cleanText(row.givenName, 'accountName', warnings) || null,
    complaints,
    warnings: warnings.slice(0, MAX_WARNINGS),
  };
}

function readAccount(text: string): {
  accountNumber: string;
  complaint?: ProblemData;
  warning?: ProblemData;
} {
  if (/^\d{10}$/.test(text) || text.length > MAX_NUMBER) return { accountNumber: text };
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) {
    return { accountNumber: text, complaint: itemProblem('ACCOUNT_NUMBER_CUT_SHORT', { given: shortened(text) }) };
  }
  const digits = text.replaceAll(/[ -]/g, '').replace(/\.0+$/, '');
  if (!/^\d+$/.test(digits)) return { accountNumber: text };
  if (digits.length === 9) {
    const accountNumber = `0${digits}`;
    const warning = itemProblem('ACCOUNT_NUMBER_ZERO_ADDED', { given: shortened(text), accountNumber });
    return { accountNumber, warning };
  }
  if (digits === text) return { accountNumber: text };
  const read = { given: shortened(text), accountNumber: digits };
  return { accountNumber: digits, warning: itemProblem('ACCOUNT_NUMBER_CORRECTED', read) };
}

/** Reads a phone number. Null for none. Ten digits that begin with 7, 8 or 9 are a mobile number without its zero. */
function readPhone(text: string, warnings: ProblemData[]): string | null {
  if (text === '') return null;
  if (text.length > MAX_NUMBER) return text;
  const digits = text.replaceAll(/[ ().-]/g, '').replace(/\.0+$/, '');
  if (/^[789]\d{9}$/.test(digits)) {
    const phoneNumber = `0${digits}`;
    warnings.push(itemProblem('PHONE_NUMBER_ZERO_ADDED', { given: shortened(text), phoneNumber }));
    return phoneNumber;
  }
  return /^\+?\d+$/.test(digits) ? digits : text;
}

/** One row of a list to be paid as it was given, right or wrong, before it is read. */
export interface GivenRow {
  /** The row of the sheet, with header and empty rows counted. In a JSON list the place of the entry, from 1. */
  position: number;
  amount: string;
  bankCode: string;
  /** A name, or a code in a column that says only "Bank". */
  bankName: string;
  accountNumber: string;
  givenName: string;
  narration: string;
  phoneNumber: string;
  /** The error of the row as a whole, for which none of its cells can be trusted. Null for most. */
  complaint: ProblemData | null;
  /** Errors of cells whose content cannot be used. */
  faults?: readonly ProblemData[];
}

/** One row as it is kept. Whatever can be corrected without guessing is corrected, with a warning. */
export interface TakenRow {
  position: number;
  /** In kobo. Zero where the text is no amount: the item cannot be paid before it is corrected. */
  amountMinor: bigint;
  /** In kobo. The amount that the row adds to the control total. */
  countedMinor: bigint;
  /** The amount's text, where `amountMinor` is zero because of it. */
  givenAmount: string | null;
  bankCode: string;
  accountNumber: string;
  narration: string;
  phoneNumber: string | null;
  givenName: string | null;
  /** Errors that prevent the item from being paid. */
  complaints: ProblemData[];
  /** Corrections, and values that look odd. */
  warnings: ProblemData[];
}
