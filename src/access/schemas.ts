import { Type } from 'typebox';
import { DateTime, Named, Nullable, ONE_FIELD, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from './make-key.ts';
import { SCOPES } from './roles.ts';

const MAX_NAME_LENGTH = 60;
/** More than the servers of one merchant; a range covers many. */
const MAX_ADDRESSES = 50;
/** The longest IPv6 range in text. */
const MAX_ADDRESS_LENGTH = 49;

const KeyName = VisibleText({
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '\\S',
  examples: ['Accounting server'],
  description: 'For people, to distinguish keys.',
  'x-hint': `must be 1 to ${MAX_NAME_LENGTH} visible characters`,
});

const AllowedIps = Type.Array(Type.String({ maxLength: MAX_ADDRESS_LENGTH, examples: ['203.0.113.0/24'] }), {
  maxItems: MAX_ADDRESSES,
  description: 'IP addresses or ranges that the key may be used from; an empty list is any.',
});

const Scopes = Type.Array(Type.Enum([...SCOPES]), {
  minItems: 1,
  maxItems: SCOPES.length,
  description: 'What the key may do; at most what you may do yourself. All of that when left out.',
  examples: [['payout:read', 'payout:write']],
});

export const KeyParams = Type.Object({ keyId: Uuid('Identifier of the key') }, { additionalProperties: false });

export const NewKeyBody = Type.Object(
  {
    name: KeyName,
    kind: Type.Enum(['SECRET', 'PUBLIC']),
    scopes: Type.Optional(Scopes),
    allowedIps: Type.Optional(AllowedIps),
    expiresAt: Type.Optional(DateTime('When the key ends by itself; never when left out.')),
  },
  { additionalProperties: false },
);

export const KeyChangesBody = Type.Object(
  { name: Type.Optional(KeyName), allowedIps: Type.Optional(AllowedIps) },
  { additionalProperties: false, minProperties: 1, 'x-hint': ONE_FIELD },
);

export const RotateKeyBody = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OVERLAP_SECONDS,
        default: DEFAULT_OVERLAP_SECONDS,
        description: 'How long the old key goes on working.',
        'x-hint': `must be from 0 to ${MAX_OVERLAP_SECONDS} seconds`,
      }),
    ),
  },
  { additionalProperties: false },
);

const keyFields = {
  keyId: Uuid(),
  name: Type.String(),
  kind: Type.Enum(['SECRET', 'PUBLIC']),
  prefix: Type.String({ examples: ['sk_test_'] }),
  lastFour: Type.String({ examples: ['x7Qa'] }),
  scopes: Type.Array(Type.String(), { description: 'A single * is everything that such a key may do.' }),
  allowedIps: Type.Array(Type.String()),
  state: Type.Enum(['ACTIVE', 'EXPIRED', 'REVOKED']),
  rotationDue: Type.Boolean({ description: 'In force for more than 90 days.' }),
  createdAt: DateTime(),
  expiresAt: Nullable(DateTime()),
  revokedAt: Nullable(DateTime()),
  lastUsedAt: Nullable(DateTime('Exact to a minute or so.')),
  createdBy: Nullable(
    Type.Object(
      {
        personId: Uuid(),
        name: Type.String(),
        left: Type.Boolean({ description: 'They were removed: nobody of your business answers for this key.' }),
      },
      { description: 'Null for a key that the operator made.' },
    ),
  ),
};

export const KeySchema = Named('Key', Type.Object(keyFields));

export const NewKeySchema = Named(
  'NewKey',
  Type.Object({
    key: Type.String({ description: 'The whole key. It is shown this once and is stored nowhere.' }),
    ...keyFields,
  }),
);

export const RotatedKeySchema = Named(
  'RotatedKey',
  Type.Object({
    ...NewKeySchema.properties,
    oldEndsAt: DateTime('Until then the old key works too.'),
  }),
);

export const PinStateSchema = Named(
  'PinState',
  Type.Object({
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    isSet: Type.Boolean(),
    setAt: Nullable(DateTime()),
    lockedUntil: Nullable(DateTime('Set while too many wrong attempts keep the PIN operations of this mode locked.')),
  }),
);
