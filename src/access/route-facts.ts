import type { RouteOptions } from 'fastify';
import type { Access } from './route-access.ts';

/** What the guards before a route of the API may refuse with, and what the route says of itself. */
interface RouteFacts {
  codes: readonly string[];
  isIdempotent: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The codes that the command behind the route may refuse with, for the API document. */
    errorCodes?: readonly string[];
    /** False where no answer is kept under an `Idempotency-Key`: a secret, or what is harmless to repeat. */
    idempotent?: false;
  }
}

const JSON_BODY = [
  'BODY_MISSING',
  'BODY_TOO_DEEP',
  'BODY_TOO_LARGE',
  'CONTENT_LENGTH_WRONG',
  'CONTENT_TYPE_UNSUPPORTED',
  'FIELD_REPEATED',
  'HALF_CHARACTER',
  'JSON_MALFORMED',
  'NUMBER_TOO_LARGE',
];
const CREDENTIALS = ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'IP_NOT_ALLOWED', 'MERCHANT_SUSPENDED'];
const PERSON = ['SESSION_MISSING', 'SESSION_EXPIRED', 'CSRF_REFUSED', 'PERMISSION_NOT_GRANTED'];
const PIN = ['PIN_NOT_SET', 'PIN_INVALID', 'PIN_LOCKED'];
const IDEMPOTENCY = ['IDEMPOTENCY_KEY_REUSED', 'LEDGER_BUSY', 'OUTCOME_UNKNOWN'];
const CURSOR = ['CURSOR_CONFLICT', 'CURSOR_INVALID', 'CURSOR_MISMATCH'];

/** What the API document says of a route beside its schemas. */
export function factsOf({ method, schema, config }: RouteOptions): RouteFacts {
  const access = config?.access;
  const isOfMerchants = access !== undefined && 'scope' in access;
  const isIdempotent = isOfMerchants && method !== 'GET' && config?.idempotent !== false;
  const codes = [
    ...(schema?.body === undefined ? [] : JSON_BODY),
    ...(isOfMerchants ? guardCodes(access) : PERSON),
    ...(isOfMerchants && method !== 'GET' ? ['IDEMPOTENCY_KEY_MALFORMED'] : []),
    ...(isIdempotent ? IDEMPOTENCY : []),
    ...(takesCursor(schema?.querystring) ? CURSOR : []),
    ...(config?.errorCodes ?? []),
  ];
  return { codes, isIdempotent };
}

function takesCursor(query: unknown): boolean {
  const { properties = {} } = (query ?? {}) as { properties?: object };
  return 'before' in properties && 'after' in properties;
}

function guardCodes({ scope, person, permission, service, pin, fresh, beforeApproval }: Access): string[] {
  return [
    ...CREDENTIALS,
    ...(scope === null ? [] : ['KEY_TYPE_NOT_ALLOWED', 'SCOPE_NOT_GRANTED']),
    ...(person === true || permission !== undefined ? ['PERSON_REQUIRED', ...PERSON] : []),
    ...(fresh === true ? ['FRESH_SIGN_IN_NEEDED'] : []),
    ...(beforeApproval === true ? [] : ['MERCHANT_NOT_APPROVED']),
    ...(service === undefined ? [] : ['SERVICE_NOT_ENABLED']),
    ...(pin === true ? PIN : []),
  ];
}
