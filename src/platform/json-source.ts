/** Facts about JSON text beyond the result of `JSON.parse`. Every function here takes text that is valid JSON. */

interface SourceFacts {
  /** Members of all objects: each has one colon outside of strings. */
  members: number;
  /** Whether a number is there that a double may not hold: a long one, or one with an exponent. */
  hasLongNumbers: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_E = 0x65;
const LARGE_E = 0x45;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** Each number of so many digits has a double of its own, which is written as that number again. */
const EXACT_DIGITS = 15;

export function factsOf(text: string): SourceFacts {
  let members = 0;
  let hasLongNumbers = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === COLON) members += 1;
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const end = endOfNumber(text, at);
      if (Math.abs(end) - at > EXACT_DIGITS || end < 0) hasLongNumbers = true;
      at = Math.abs(end) - 1;
    }
  }
  return { members, hasLongNumbers };
}

/** The place of the closing quotation mark of the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1;
  while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return end;
}

/** The place after the number that begins at `at`; negative where it has an exponent. */
function endOfNumber(text: string, at: number): number {
  let end = at + 1;
  let hasExponent = false;
  for (; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    if (unit === SMALL_E || unit === LARGE_E) hasExponent = true;
    else if ((unit < ZERO || unit > NINE) && unit !== POINT && unit !== PLUS && unit !== MINUS) break;
  }
  return hasExponent ? -end : end;
}

/** What a bracket that is open has had: an object its names, a list how many entries are complete; and where it is. */
interface Open {
  names: Set<string>;
  isList: boolean;
  entries: number;
  name: string;
}

/** Where the first member is that its object has twice: names and places from the outermost on. Undefined: nowhere. */
export function repeatedMember(text: string): string[] | undefined {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const inner = open.at(-1);
    if (OPENING.has(unit)) open.push({ names: new Set(), isList: unit === OPEN_LIST, entries: 0, name: '' });
    else if (CLOSING.has(unit)) open.pop();
    else if (unit === COMMA && inner !== undefined) inner.entries += 1;
    else if (unit === QUOTE) {
      const end = endOfString(text, at);
      const name = isFollowedByColon(text, end) ? (JSON.parse(text.slice(at, end + 1)) as string) : undefined;
      if (name !== undefined && inner !== undefined) {
        inner.name = name;
        if (inner.names.has(name)) return open.map((each) => (each.isList ? String(each.entries) : each.name));
        inner.names.add(name);
      }
      at = end;
    }
  }
  return undefined;
}

const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1;
  while (BLANK.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** The text of a member of the outermost object, as it was written; undefined where there is none. */
export function memberSource(text: string, name: string): string | undefined {
  let at = text.indexOf('{') + 1;
  for (;;) {
    const keyStart = text.indexOf('"', at);
    if (keyStart < 0) return undefined;
    const keyEnd = endOfString(text, keyStart) + 1;
    const valueStart = text.indexOf(':', keyEnd) + 1;
    const valueEnd = endOfValue(text, valueStart);
    if (JSON.parse(text.slice(keyStart, keyEnd)) === name) return text.slice(valueStart, valueEnd).trim();
    at = valueEnd + 1;
  }
}

/** The place of the comma or the bracket after a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(unit)) depth += 1;
    else if (depth === 0 && (unit === COMMA || CLOSING.has(unit))) return at;
    else if (CLOSING.has(unit)) depth -= 1;
  }
  return text.length;
}

/**
 * Parses JSON. A number that no double holds becomes a bigint of the bytes that it is written with: no schema accepts
 * it as a number, so it is refused where a number is read, and two different ones stay different.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    return isHeld(context.source, value) ? value : BigInt(`0x${Buffer.from(context.source).toString('hex')}`);
  });
}

/**
 * Whether a double is equal to the text that it was read from. Numbers that are too large for any double are not
 * checked here.
 */
function isHeld(source: string, value: number): boolean {
  return !Number.isFinite(value) || decimalOf(source) === decimalOf(String(value));
}

/** The digits without zeros around them, and the place of the point: the same for `1e2`, `100` and `100.0`. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  const from = digits.length - withoutLeadingZeros(digits).length;
  const significant = withoutTrailingZeros(digits.slice(from));
  return significant === '' ? '0' : `${significant}e${whole.length - from + Number(exponent)}`;
}

function withoutLeadingZeros(digits: string): string {
  let from = 0;
  while (digits.charCodeAt(from) === ZERO) from += 1;
  return digits.slice(from);
}

function withoutTrailingZeros(digits: string): string {
  let to = digits.length;
  while (to > 0 && digits.charCodeAt(to - 1) === ZERO) to -= 1;
  return digits.slice(0, to);
}
