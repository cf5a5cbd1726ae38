import { randomUUID } from 'node:crypto';

/** JSON text in a value that is written into the value's JSON unchanged, byte for byte. */
interface JsonText {
  readonly text: string;
  toJSON(): unknown;
}

/** Nobody can write it into a value: each process makes its own and never shows it. */
const PLACE = randomUUID();
const QUOTED_PLACE = JSON.stringify(PLACE);

/** Texts that the running `jsonOf` has met. */
let met: string[] | undefined;

/** @param text valid JSON. */
export function jsonText(text: string): JsonText {
  return {
    text,
    toJSON() {
      // `JSON.stringify` by itself can only write the value again, in its own form.
      if (met === undefined) return JSON.parse(text) as unknown;
      met.push(text);
      return PLACE;
    },
  };
}

/** Half of a character as `JSON.stringify` writes it, and not what only looks like it after a backslash. */
const HALF = /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g;

/** JSON with half of a character is valid, but the proof of the books could never read it. */
const withoutHalves = (json: string): string =>
  json.includes('\\ud') ? json.replaceAll(HALF, (_found, pair?: string) => pair ?? '\u{fffd}') : json;

/**
 * As `JSON.stringify`, for values with JSON text in them. Half of a character is replaced by the sign for an unknown
 * one.
 */
export function jsonOf(value: unknown): string {
  const texts: string[] = [];
  met = texts;
  try {
    const json = withoutHalves(JSON.stringify(value));
    if (texts.length === 0) return json;
    return json.split(QUOTED_PLACE).reduce((whole, part, at) => `${whole}${texts[at - 1]}${part}`);
  } finally {
    met = undefined;
  }
}
