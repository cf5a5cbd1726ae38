import { withoutCredentials } from '../platform/credentials.ts';
import { isUuid } from '../platform/ids.ts';

/**
 * What is kept of a text in a body, by what its schema says (`x-log`), else by the name of its field. SECRET and
 * PERSONAL are left out. LAST4 keeps four characters, and HOST the host of an address. TEXT is kept without what looks
 * like a secret, an e-mail address, or the number of an account, a card or a person. NAME stands for something of ours
 * or of the merchant's programs, and is kept with its digits.
 */
export type FieldKind = 'SECRET' | 'PERSONAL' | 'LAST4' | 'HOST' | 'TEXT' | 'NAME';

const KINDS: Readonly<Record<FieldKind, string>> = {
  SECRET: `pin password newPassword code2fa token accessToken refreshToken secret clientSecret key apiKey signature bvn nin
    cvv otp checkoutUrl pageUrl secretKey publicKey`,
  PERSONAL: `email phoneNumber phone address city state postalCode directorDateOfBirth registrationNumber firstName lastName
    name accountName beneficiaryAccountName originatorAccountName senderAccountName customerName payerName givenName
    holderName nickname`,
  LAST4: `accountNumber beneficiaryAccountNumber originatorAccountNumber senderAccountNumber walletAccountNumber iban
    cardNumber pan`,
  HOST: 'sandboxWebhookURL productionWebhookURL url returnUrl cancelUrl',
  TEXT: `message description narration title purpose reason cause error warning warnings businessName businessType
    businessCategory merchantName storeName bankName shortName beneficiaryBankName originatorBankName senderBankName
    country source label whyNot madeFrom refusedByRail payoutReason accepted field sheet column header
    amount givenAmount outcome allowedOrigins allowedReturnHosts`,
  NAME: `type reference batchReference originBatchReference transactionReference providerReference railReference requestId
    idempotencyKey sessionId transactionId id code bankCode beneficiaryBankCode originatorBankCode
    destinationInstitutionCode nipCode railCode rail provider first second ruleId digest currency scope kycCompletedFields
    nextCursor previousCursor day from to docUrl`,
};

const BY_NAME: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) =>
    names.split(/\s+/).map((name) => [name, kind as FieldKind] as const),
  ),
);

/** Undefined: nobody has thought about a field of this name, so no text in it is kept. */
export const kindOfField = (name: string): FieldKind | undefined => BY_NAME.get(name);

/*
 * These go over whatever a stranger sent, up to 64 KiB of it, so each reads a text once: a pattern that may begin at any
 * letter of a long word looks through the rest of the word from each of them, which takes seconds there.
 */

/** From the beginning of a word on, and nowhere else in it. */
const MAIL = /(?<![^\s@"'<>(),;:])[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+\.[^\s@"'<>(),;:]+/g;
/**
 * Numbers of accounts, phones, people and cards, also in groups, whatever stands beside them. Not the digits of an id in
 * hexadecimal, which is found first.
 */
const ID_OR_NUMBER =
  /(?<!\w)(?:MNB)?(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32})(?!\w)|\+?(?:\d{10,}|(?:\d{1,3}[ -])?\d{3,5}(?:[ -]\d{3,5})+[ -]\d{1,7}(?!\d))/g;
const MIN_DIGITS = 10;

const SECRET = '[secret]';
const PERSONAL = '[personal]';

/** The end of a number, which is enough to know it again. */
function lastFour(text: string): string {
  return text.length < 8 ? '••••' : `••••${text.slice(-4)}`;
}

/** What was left out of one request and its answer, and is left out of the texts in them too. */
export type Hidden = Map<string, string>;

/** A text without what gives access or names a person. @param hidden what was left out elsewhere in the same request */
export function scrubbed(text: string, kind: 'TEXT' | 'NAME', hidden: Hidden): string {
  const given = text.normalize();
  if (hidden.size > 0 && given.length * lengthOfAll(hidden) > MAX_COMPARED) return NOT_KEPT;
  // Whatever the field, what gives access.
  let clean = withoutCredentials(withoutHidden(given, hidden), SECRET);
  if (clean.includes('@')) clean = clean.replace(MAIL, PERSONAL);
  return kind === 'NAME' ? clean : clean.replace(ID_OR_NUMBER, withoutNumber);
}

const lengthOfAll = (hidden: Hidden): number => hidden.keys().reduce((sum, value) => sum + value.length, 0);

interface Place {
  from: number;
  to: number;
  instead: string;
}

/**
 * Wherever any of them stands, also where two overlap, and as one pass over what was sent: in what stands instead of a value
 * nothing is looked for. There is `pers` in `[personal]`, and two hundred such values would make an endless text of a short one.
 */
function withoutHidden(text: string, hidden: Hidden): string {
  const places = [...hidden].flatMap(([value, instead]) => placesOf(text, value, instead));
  if (places.length === 0) return text;
  places.sort((one, other) => one.from - other.from || other.to - one.to);
  let clean = '';
  let at = 0;
  for (const { from, to, instead } of places) {
    if (from >= at) clean += text.slice(at, from) + instead;
    at = Math.max(at, to);
  }
  return clean + text.slice(at);
}

function placesOf(text: string, value: string, instead: string): Place[] {
  const places: Place[] = [];
  for (let from = text.indexOf(value); from !== -1; from = text.indexOf(value, from + 1)) {
    const last = places.at(-1);
    const to = from + value.length;
    if (last !== undefined && from < last.to) last.to = to;
    else places.push({ from, to, instead });
  }
  return places;
}

/** An id keeps its digits, and so does what has too few of them. */
function withoutNumber(found: string): string {
  if (/[a-z]/.test(found)) return found;
  const digits = found.replaceAll(/\D/g, '');
  return digits.length < MIN_DIGITS ? found : lastFour(digits);
}

/** What is read here of a JSON Schema. */
interface Schema {
  type?: string | readonly string[];
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  /** What the request log keeps of it. */
  'x-log'?: FieldKind;
}

const NOT_KEPT = '[not kept]';
const UNKNOWN = '[unknown field]';
/** A list shows so many of its entries, an object so many unknown fields. */
const MAX_ENTRIES = 20;
const MAX_UNKNOWN = 20;
const MAX_NAME_LENGTH = 60;
/** Values that are sought in texts beside them. Shorter ones say nothing. */
const MAX_HIDDEN = 200;
const MIN_HIDDEN_LENGTH = 4;
/** Characters of a text times those of all values that are sought in it: beyond that the text is left out. */
const MAX_COMPARED = 4_000_000;

/** A value as it may be kept; texts in it are cleaned when it is written as JSON, once all that is hidden is known. */
export type Redactor = (value: unknown, hidden: Hidden) => unknown;

/** Of a value whose fields this schema names: what it marks, and what it does not know, is left out. */
export function redactorOf(schema: unknown): Redactor {
  return redactorOfAll(alternativesOf(schema as Schema), '');
}

/** A schema in parts, any of which may be the one that a value fits. */
function alternativesOf(schema: Schema): readonly Schema[] {
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => some ?? []);
  return parts.length === 0 ? [schema] : [{ ...schema, anyOf: [] }, ...parts.flatMap(alternativesOf)];
}

/** Where one of several schemas hides a field, it is hidden: a request that fits none is kept as little as any. */
function redactorOfAll(schemas: readonly Schema[], name: string): Redactor {
  const kind = schemas.find((schema) => schema['x-log'] !== undefined)?.['x-log'] ?? kindOfField(name);
  const fields = new Map<string, Redactor>();
  const ofText = textRedactor(schemas, kind);
  let ofItems: Redactor | undefined;

  function ofField(field: string): Redactor | undefined {
    const known = fields.get(field);
    if (known !== undefined) return known;
    const named = schemas.flatMap(({ properties }) =>
      properties !== undefined && Object.hasOwn(properties, field) ? [properties[field] as Schema] : [],
    );
    if (named.length === 0) return undefined;
    const redact = redactorOfAll(named.flatMap(alternativesOf), field);
    fields.set(field, redact);
    return redact;
  }

  return (value, hidden) => {
    if (value === null) return null;
    if (typeof value === 'string') return ofText(value, hidden);
    if (typeof value !== 'object' || isNumber(value)) {
      return isPlain(kind) && allows(schemas, typeof value === 'boolean' ? 'boolean' : 'number') ? value : NOT_KEPT;
    }
    if (kind === 'SECRET') return SECRET;
    if (Array.isArray(value)) {
      const items = schemas.flatMap((schema) => (schema.items === undefined ? [] : alternativesOf(schema.items)));
      ofItems ??= redactorOfAll(items, name);
      return listOf(value, ofItems, hidden);
    }
    return objectOf(value as Record<string, unknown>, ofField, hidden);
  };
}

const isPlain = (kind: FieldKind | undefined): boolean => kind === undefined || kind === 'TEXT' || kind === 'NAME';

function listOf(values: readonly unknown[], redact: Redactor, hidden: Hidden): unknown[] {
  const shown = values.slice(0, MAX_ENTRIES).map((value) => redact(value, hidden));
  // What is hidden in the others is hidden in the texts too.
  for (const value of values.slice(MAX_ENTRIES)) redact(value, hidden);
  return values.length > MAX_ENTRIES ? [...shown, `[${values.length - MAX_ENTRIES} more]`] : shown;
}

function objectOf(
  value: Record<string, unknown>,
  ofField: (field: string) => Redactor | undefined,
  hidden: Hidden,
): Record<string, unknown> {
  const shown: [string, unknown][] = [];
  let unknown = 0;
  for (const [field, member] of Object.entries(value)) {
    const redact = ofField(field);
    if (redact !== undefined) {
      shown.push([field, redact(member, hidden)]);
      continue;
    }
    unknown += 1;
    if (unknown <= MAX_UNKNOWN) shown.push([scrubbed(field.slice(0, MAX_NAME_LENGTH), 'TEXT', NOTHING), UNKNOWN]);
  }
  if (unknown > MAX_UNKNOWN) shown.push([`[${unknown - MAX_UNKNOWN} more]`, UNKNOWN]);
  return Object.fromEntries(shown);
}

const NOTHING: Hidden = new Map();

type TextRedactor = (text: string, hidden: Hidden) => unknown;

function textRedactor(schemas: readonly Schema[], kind: FieldKind | undefined): TextRedactor {
  switch (kind) {
    case 'SECRET':
      return (text, hidden) => hide(hidden, text, SECRET);
    case 'PERSONAL':
      return (text, hidden) => hide(hidden, text, PERSONAL);
    case 'LAST4':
      return (text, hidden) => hide(hidden, text, lastFour(text));
    case 'HOST':
      return (text, hidden) => hostOf(text, hidden);
    case 'TEXT':
    case 'NAME':
      if (!allows(schemas, 'string')) return () => NOT_KEPT;
      return (text, hidden) => ({ toJSON: () => scrubbed(text, kind, hidden) });
    case undefined:
      return (text) => (isListedValue(schemas, text) ? text : NOT_KEPT);
  }
}

function hide(hidden: Hidden, text: string, instead: string): string {
  if (text === '') return text;
  if (text.length >= MIN_HIDDEN_LENGTH && hidden.size < MAX_HIDDEN) hidden.set(text.normalize(), instead);
  return instead;
}

/** What follows the host of an address is often a secret. */
function hostOf(text: string, hidden: Hidden): string {
  if (text === '') return text;
  const host = URL.parse(text)?.host;
  const shown = host === undefined ? NOT_KEPT : `${host}/…`;
  hide(hidden, text, shown);
  return shown;
}

/** One of the words that a schema lists, an id of ours or a time: nothing else fits in it. */
function isListedValue(schemas: readonly Schema[], text: string): boolean {
  return schemas.some(
    ({ const: only, enum: words, format }) =>
      only === text ||
      words?.includes(text) === true ||
      (format === 'uuid' && isUuid(text)) ||
      (format === 'date-time' && /^[\d:.+\-TZ]{10,35}$/.test(text)),
  );
}

function allows(schemas: readonly Schema[], type: 'string' | 'number' | 'boolean'): boolean {
  return schemas.some(({ type: given, const: only, enum: words }) => {
    const types = [given].flat();
    if (types.includes(type) || (type === 'number' && types.includes('integer'))) return true;
    return typeof only === type || words?.some((word) => typeof word === type) === true;
  });
}

/** JavaScript's own, for which the compiler's library has no words yet. */
const raw = JSON as unknown as { rawJSON(text: string): object; isRawJSON(value: unknown): boolean };

const isNumber = (value: unknown): boolean => typeof value === 'number' || raw.isRawJSON(value);

/** JSON with its numbers as they were written. @throws SyntaxError */
export function parseAsWritten(text: string): unknown {
  const keep = (_name: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === 'number' && source !== undefined ? raw.rawJSON(source) : value;
  return JSON.parse(text, keep as (this: unknown, name: string, value: unknown) => unknown) as unknown;
}
