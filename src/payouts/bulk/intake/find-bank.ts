import type { Bank, Banks } from '../../../banks/index.ts';
import { quoted } from './read-amount.ts';

export interface FoundBank {
  /** A code of the directory, or the text as it was given: that finds no bank, and the item cannot be paid. */
  code: string;
  complaint?: string;
  warning?: string;
}

/** What people write for banks that go by another name in the directory; on the left without spaces and marks. */
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

/** Words that banks have in common, and that people leave out. */
const COMMON = /\b(?:the|bank|banks|plc|ltd|limited|nigeria|nig|ng|of|for|microfinance|mfb|mobile|money)\b/g;
const MIN_PARTIAL = 3;
/** Texts of one list whose bank is remembered: a list has few banks, and a hostile one has no more than this. */
const MAX_REMEMBERED = 2_000;

/**
 * Finds the bank of each row of one list, by code or by name: a name may be the full one, the short one, one in common
 * use, or a part that only one bank has.
 */
export async function createBankFinder(banks: Banks): Promise<(code: string, name: string) => Promise<FoundBank>> {
  const directory = (await banks.listBanks()).map((bank) => ({
    bank,
    names: new Set([squeezed(bank.name), squeezed(bank.shortName)]),
    core: squeezed(withoutCommon(bank.name)),
    words: squeezed(`${bank.name} ${bank.shortName}`),
  }));
  const remembered = new Map<string, FoundBank>();

  function byName(name: string): { bank: Bank; sure: boolean } | Bank[] {
    const whole = squeezed(name);
    const alias = ALIASES[whole] ?? ALIASES[squeezed(withoutCommon(name))];
    const exact = directory.filter(({ bank, names }) => names.has(whole) || bank.code === alias);
    const [first] = exact;
    if (first !== undefined) return exact.length === 1 ? { bank: first.bank, sure: true } : exact.map(bankOf);
    const part = squeezed(withoutCommon(name));
    if (part.length < MIN_PARTIAL) return [];
    // "Zenith Bank Plc" is Zenith Bank, but "First" alone may be the beginning of another name too.
    const same = part === whole ? [] : directory.filter(({ core }) => core === part);
    const partial = same.length > 0 ? same : directory.filter(({ words }) => words.includes(part));
    const [only] = partial;
    return only !== undefined && partial.length === 1 ? { bank: only.bank, sure: false } : partial.map(bankOf);
  }

  function foundByName(name: string): FoundBank {
    const found = byName(name);
    if (!Array.isArray(found)) {
      const { bank, sure } = found;
      if (sure) return { code: bank.code };
      return { code: bank.code, warning: `The bank ${quoted(name)} was read as ${bank.name} (${bank.code}).` };
    }
    if (found.length === 0) return { code: name, complaint: `There is no bank called ${quoted(name)}. See GET /bank.` };
    const candidates = found.slice(0, 5).map((bank) => `${bank.name} (${bank.code})`);
    return { code: name, complaint: `The bank ${quoted(name)} could be ${candidates.join(' or ')}. Write its code.` };
  }

  async function find(code: string, name: string): Promise<FoundBank> {
    const text = code === '' ? name : code;
    if (text === '') return { code: '', complaint: 'The bank is missing.' };
    if (!/^\d+$/.test(text)) return foundByName(text);
    const found = await byCode(banks, text);
    if (code === '' || name === '' || /^\d+$/.test(name)) return found;
    const named = byName(name);
    if (Array.isArray(named) || (await banks.findBank(found.code))?.code === named.bank.code) return found;
    return {
      ...found,
      warning: `The bank code ${found.code} and the bank name ${quoted(name)} are not of the same bank; the code counts.`,
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

/** A spreadsheet takes the leading zero of 044 or of 060001. Two zeros are not put back: then it could be another code. */
async function byCode(banks: Banks, text: string): Promise<FoundBank> {
  if ((await banks.findBank(text)) !== undefined || (text.length !== 2 && text.length !== 5)) return { code: text };
  const padded = `0${text}`;
  if ((await banks.findBank(padded)) === undefined) return { code: text };
  return { code: padded, warning: `The bank code ${text} was read as ${padded}: its leading zero was missing.` };
}

const bankOf = ({ bank }: { bank: Bank }): Bank => bank;

function withoutCommon(name: string): string {
  return name.toLowerCase().replaceAll(COMMON, ' ');
}

function squeezed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
