/** Beyond it a field is cut for the index: nobody remembers a name by its two hundredth letter. */
const MAX_FIELD = 200;

const SIGNS = /[^\p{L}\p{N}]+/gu;

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFKC');
}

/**
 * A text as it is compared: small letters, without accents and without any sign but the spaces between words. So `O'Neil`
 * is found by `oneil`, and a reference with or without its hyphens.
 */
export function folded(text: string): string {
  return plain(text)
    .split(/\s+/u)
    .map((part) => part.replaceAll(SIGNS, ''))
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, MAX_FIELD);
}

/** The beginnings that a search of two letters finds: those of every word, whatever sign stands before it. */
export function wordsOf(text: string): string[] {
  return plain(text)
    .slice(0, MAX_FIELD)
    .split(SIGNS)
    .filter((word) => word !== '');
}

/** Our own references begin so; what follows is an id. */
const OWN_REFERENCE = /^mn[lb](?=[0-9a-f]{4,32}$)/;

/** The words of a search, folded; a reference of ours without its first letters, as ids are kept. */
export function searchedWords(query: string): string[] {
  return folded(query)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replace(OWN_REFERENCE, ''));
}

const AMOUNT = /^(?:₦|#|ngn)?\s*(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{1,2}))?$/i;

/** The amount that somebody may mean, in minor units: `25000`, `25,000.50`, `₦25,000`. */
export function searchedAmount(query: string): bigint | undefined {
  const match = AMOUNT.exec(query.trim());
  if (match === null) return undefined;
  const [, major = '', fraction = ''] = match;
  const digits = major.replaceAll(',', '');
  if (digits.length > 13) return undefined;
  const minor = BigInt(digits) * 100n + BigInt(fraction.padEnd(2, '0'));
  return minor === 0n ? undefined : minor;
}
