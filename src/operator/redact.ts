/** Eleven digits are a BVN or a NIN, or a phone number; an account number has ten, a session id thirty. */
const ELEVEN_DIGITS = /(?<![0-9A-Za-z+])(\d{3})\d{5}(\d{3})(?![0-9A-Za-z])/g;
const KEYS = /\b[sp]k_(?:test|live)_[\w-]+/g;
const NAMED_SECRETS =
  /\b(authorization|api[-_ ]?key|secret(?:[-_ ]?key)?|password|token|pin)(["']?\s*[:=]\s*["']?)(?:bearer\s+)?[^\s"',;&]+/gi;
const BEARER = /\bbearer\s+[\w.~+/=-]{8,}/gi;

/** A text without secrets and without a whole number of a person's identity, for evidence that is sent to a provider. */
export function redactText(text: string): string {
  return text
    .replaceAll(KEYS, '[removed]')
    .replaceAll(NAMED_SECRETS, '$1$2[removed]')
    .replaceAll(BEARER, 'Bearer [removed]')
    .replaceAll(ELEVEN_DIGITS, '$1*****$2');
}

/** The same of every text in an answer. */
export function redact<T>(value: T): T {
  if (typeof value === 'string') return redactText(value) as T;
  if (Array.isArray(value)) return value.map(redact) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redact(part)])) as T;
}
