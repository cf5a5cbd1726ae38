import { type Static, Type } from 'typebox';
import { Amount, DateTime, Money, Named, Nullable, ONE_FIELD } from '../platform/http/schemas.ts';

const MAX_LISTED = 20;
const MAX_LENGTH = 255;
export const DEFAULT_SESSIONS_PER_MINUTE = 60;
const MAX_SESSIONS_PER_MINUTE = 6_000;

const words = {
  publicKeys: 'Public keys may create payment sessions.',
  allowedOrigins: 'Pages whose browsers may: scheme, host and port, exactly.',
  allowedReturnHosts: 'Hosts that returnUrl and cancelUrl may have, with the port where there is one.',
  maxAmount: 'The most that one such session may ask for.',
  sessionsPerMinute: 'At most this many such sessions within any minute, of all public keys together.',
};

const plain = { pattern: '^[!-~]+$', 'x-hint': 'must be plain letters, digits and signs, without spaces' };

const Listed = (description: string, examples: string[]) =>
  Type.Array(Type.String({ ...plain, minLength: 1, maxLength: MAX_LENGTH }), {
    maxItems: MAX_LISTED,
    uniqueItems: true,
    description,
    examples: [examples],
  });

export const CollectionSettingsSchema = Named(
  'CollectionSettings',
  Type.Object({
    publicKeys: Type.Boolean({ description: words.publicKeys }),
    allowedOrigins: Type.Array(Type.String(), { description: words.allowedOrigins }),
    allowedReturnHosts: Type.Array(Type.String(), { description: words.allowedReturnHosts }),
    maxAmount: Nullable(Money(words.maxAmount)),
    sessionsPerMinute: Type.Integer({ description: words.sessionsPerMinute }),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    updatedAt: Nullable(DateTime('Null: nobody has set anything.')),
  }),
);

export const CollectionSettingsBody = Type.Object(
  {
    publicKeys: Type.Optional(Type.Boolean({ description: words.publicKeys })),
    allowedOrigins: Type.Optional(Listed(words.allowedOrigins, ['https://shop.example'])),
    allowedReturnHosts: Type.Optional(Listed(words.allowedReturnHosts, ['shop.example'])),
    maxAmount: Type.Optional(Amount(words.maxAmount)),
    sessionsPerMinute: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_SESSIONS_PER_MINUTE, description: words.sessionsPerMinute }),
    ),
  },
  { additionalProperties: false, minProperties: 1, 'x-hint': ONE_FIELD },
);

export type CollectionSettingsInput = Static<typeof CollectionSettingsBody>;
