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

/** As `JSON.stringify`, for values that hold JSON text. */
export function jsonOf(value: unknown): string {
  const texts: string[] = [];
  met = texts;
  try {
    const json = JSON.stringify(value);
    if (texts.length === 0) return json;
    return json.split(QUOTED_PLACE).reduce((whole, part, at) => `${whole}${texts[at - 1]}${part}`);
  } finally {
    met = undefined;
  }
}
