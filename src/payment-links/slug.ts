import { randomBytes } from 'node:crypto';

/** Crockford's alphabet in lower case: no letter that reads like a digit or another one. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits: nobody finds one by trying. */
const LENGTH = 16;
const SLUG = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** The last part of a link's address. */
export function newSlug(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A slug as somebody typed it, in either case; undefined for what can be none. */
export function slugOf(text: string): string | undefined {
  const slug = text.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return SLUG.test(slug) ? slug : undefined;
}
