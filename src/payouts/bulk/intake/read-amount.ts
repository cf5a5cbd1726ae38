export interface ReadAmount {
  /** In kobo; zero where the text is no amount that can be paid. */
  amountMinor: bigint;
  /** In kobo, with what cannot be paid: for the control total. */
  countedMinor: bigint;
  complaint?: string;
  warning?: string;
}

const CURRENCY_BEFORE = /^(?:=N=|NGN|naira|₦|N)\s*/i;
const CURRENCY_AFTER = /(?:NGN|₦|naira)$/i;
/** No amount is longer, with all the marks around it; and what is longer is not worth a look. */
const MAX_CHARACTERS = 40;
/** Thousands apart by commas or spaces, all the same. */
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?: \d{3})+(?:\.\d+)?$/;
/** Thirteen digits of naira, as for every amount. */
const DECIMAL = /^(\d{1,13})(?:\.(\d+))?$/;
const MINOR_PER_NAIRA = 100n;

const NOTHING = { amountMinor: 0n, countedMinor: 0n };

/**
 * The amount of a row: whole naira, with or without the marks that people put around an amount. A comma is a mark between
 * thousands and a point begins the kobo; what would mean something else elsewhere is not guessed at.
 */
export function readAmount(text: string): ReadAmount {
  if (text === '') return { ...NOTHING, complaint: 'The amount is missing.' };
  if (text.length > MAX_CHARACTERS) return unreadable(text);
  const negative = text.startsWith('-');
  const bare = text.replace(/^-\s*/, '').replace(CURRENCY_BEFORE, '').replace(CURRENCY_AFTER, '').trimEnd();
  const digits = GROUPED.test(bare) ? bare.replaceAll(/[, ]/g, '') : bare;
  const match = DECIMAL.exec(digits);
  if (match === null) return unreadable(text);
  const [, naira = '', decimals = ''] = match;
  const kobo = decimals.replace(/0+$/, '');
  if (kobo.length > 2) {
    return { ...NOTHING, complaint: `The amount ${quoted(text)} has more than two decimals.` };
  }
  const sign = negative ? -1n : 1n;
  const countedMinor = sign * (BigInt(naira) * MINOR_PER_NAIRA + BigInt(kobo.padEnd(2, '0')));
  if (kobo !== '') {
    const complaint = `The amount ${quoted(text)} has kobo; the amounts of a bulk payout are whole naira.`;
    return { amountMinor: 0n, countedMinor, complaint };
  }
  if (digits === text || (negative && `-${digits}` === text)) return { amountMinor: countedMinor, countedMinor };
  const warning = `The amount ${quoted(text)} was read as ${negative ? '-' : ''}${BigInt(naira)}.`;
  return { amountMinor: countedMinor, countedMinor, warning };
}

function unreadable(text: string): ReadAmount {
  return { ...NOTHING, complaint: `The amount ${quoted(text)} is not a number of naira such as 1500 or 1,500.` };
}

const MAX_QUOTED = 60;

/** A given text inside a sentence. */
export function quoted(text: string): string {
  return `"${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}"`.toWellFormed();
}
