/*
 * What looks like a credential of ours, or a signed token of anybody, wherever in a text it stands: in an address, behind
 * `KEY_`, without anything between. These go over whatever a stranger sent, so each reads a text once.
 */

/**
 * After a letter or digit these are the end of a word, such as `task_live_`, unless they are followed by as much as a
 * key has.
 */
const KEYS =
  /(?:(?<![a-z\d])|(?<=%[\da-f]{2}))(?:[sp]k_(?:test|live)|mcs_(?:test|live)|whsec)_[^\s"'<>]*|(?:[sp]k_(?:test|live)|mcs_(?:test|live)|whsec)_[\w+/-]{20}[^\s"'<>]*/gi;
/** A token of three parts may be part of such a text, also in an address. */
const DOTTED = /[\w%-][\w.%-]*/g;
/** The first part of a token is JSON in base64url: it begins so, and the shortest has twenty characters. */
const TOKEN_BEGINS = 'eyJ';
const TOKEN = /(?:(?<![A-Za-z\d])|(?<=%[\dA-Fa-f]{2}))eyJ[\w-]|eyJ[\w-]{17}/;

/** A text with everything in it that gives access replaced by `instead`. */
export function withoutCredentials(text: string, instead: string): string {
  const clean = text.replace(KEYS, instead);
  return clean.includes(TOKEN_BEGINS) ? clean.replace(DOTTED, (word) => withoutToken(word, instead)) : clean;
}

export function hasCredential(text: string): boolean {
  return withoutCredentials(text, '') !== text;
}

/** Replaces from the beginning of a token to the end of the word; a name without a dot is no token. */
function withoutToken(word: string, instead: string): string {
  const begins = word.search(TOKEN);
  if (begins === -1) return word;
  const dot = word.indexOf('.', begins);
  return dot === -1 || dot === word.length - 1 ? word : `${word.slice(0, begins)}${instead}`;
}
