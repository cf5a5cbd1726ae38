import { randomUUID } from 'node:crypto';

/** JSON text that stands in a value and is written into its JSON as it is, byte for byte. */
interface JsonText {
  readonly text: string;
  toJSON(): unknown;
}

/** Nobody can write it into a value: it is made anew by each process and leaves none. */
const PLACE = randomUUID();
const QUOTED_PLACE = JSON.stringify(PLACE);

/** Texts met by the `jsonOf` that runs. */
let met: string[] | undefined;

/** @param text valid JSON. */
export function jsonText(text: string): JsonText {
  return {
    text,
    toJSON() {
      // `JSON.stringify` by itself can only write the value again, in its own way.
      if (met === undefined) return JSON.parse(text) as unknown;
      met.push(text);
      return PLACE;
    },
  };
}

/** Half of a character, as `JSON.stringify` writes one, and none of what only reads like it behind a backslash. */
const HALF = /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g;

/** JSON with half of a character in it is JSON, and the proof of the books could not read it for ever. */
const withoutHalves = (json: string): string =>
  json.includes('\\ud') ? json.replaceAll(HALF, (_found, pair?: string) => pair ?? '\u{fffd}') : json;

/** As `JSON.stringify`, for values that hold JSON text. Half of a character is one that nobody knows. */
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
