/** Headers of requests and answers, written once; operations refer to them. */
export const HEADERS = {
  RequestId: {
    description: 'Names this request in our logs. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', examples: ['mX3kP0aQ-4f'] },
  },
  IdempotencyReplayed: {
    description: 'Present when this is the answer of an earlier request with the same key; nothing was done now.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'Whole seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimitLimit: {
    description: 'Requests that the key may make in a window of 10 seconds. Absent where no limit is set.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimitRemaining: {
    description: 'Requests that are left in the window.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReset: {
    description: 'Whole seconds until the window ends.',
    schema: { type: 'integer', minimum: 1 },
  },
  WwwAuthenticate: {
    description:
      'How to authenticate: `Bearer`, with `error="invalid_token"` where a key or token was sent (RFC 6750).',
    required: true,
    schema: { type: 'string', examples: ['Bearer realm="manilla"'] },
  },
} as const;

export const PARAMETERS = {
  IdempotencyKey: {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      'Any text of yours, 1 to 255 printable ASCII characters without spaces; a UUID is good. The same key with the same request is answered as the first time, for ever, and nothing is done twice.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', minLength: 1, maxLength: 255 },
    example: '7c0f9a52-3b1d-4a6e-9f55-2f6a9d0c1e44',
  },
} as const;

/** Headers by the name that is sent, as references. */
type HeaderReferences = Record<string, { $ref: string }>;

const refer = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

const RATE_LIMIT: HeaderReferences = {
  'RateLimit-Limit': refer('RateLimitLimit'),
  'RateLimit-Remaining': refer('RateLimitRemaining'),
  'RateLimit-Reset': refer('RateLimitReset'),
};

/** What every answer carries, and what some do. */
export function headersOf(status: string, isIdempotent: boolean): HeaderReferences {
  return {
    'X-Request-Id': refer('RequestId'),
    ...(status === '200' ? RATE_LIMIT : {}),
    ...(isIdempotent && ['200', '409', '422'].includes(status)
      ? { 'Idempotency-Replayed': refer('IdempotencyReplayed') }
      : {}),
    ...(status === '401' ? { 'WWW-Authenticate': refer('WwwAuthenticate') } : {}),
    ...(status === '423' || status === '429' || status === '503' ? { 'Retry-After': refer('RetryAfter') } : {}),
    ...(status === '429' ? RATE_LIMIT : {}),
  };
}
