import { Type } from 'typebox';
import { AmountFromZero, Nullable, Uuid, VisibleLines, VisibleText } from '../platform/http/schemas.ts';
import { PAYMENT_CHANNELS } from '../rails/index.ts';

/** One of a few fixed words. */
export const OneOf = <const Words extends readonly string[]>(words: Words, description?: string) =>
  Type.Unsafe<Words[number]>({
    type: 'string',
    enum: [...words],
    examples: [words[0] as string],
    ...(description === undefined ? {} : { description }),
  });

/** How a payment in was paid. */
export const ChannelName = () => OneOf(PAYMENT_CHANNELS);

/** The channel of a rule. Null is for all channels. */
export const MaybeChannel = () =>
  Nullable(
    OneOf(PAYMENT_CHANNELS, 'Payments of this channel alone, before the rule for all; null: however it was paid.'),
  );

export const ModeName = () => OneOf(['SANDBOX', 'LIVE'] as const);

/** The reason of a decision, for a later reader. */
export const Reason = () =>
  VisibleLines({
    minLength: 3,
    maxLength: 500,
    examples: ['The certificate cannot be read.'],
    'x-hint': 'must say why, in 3 to 500 characters',
  });

/** The bank that gave an account number. */
export const BankOfNumber = () =>
  VisibleText({
    maxLength: 20,
    examples: ['035'],
    description: 'Code of the bank of the account number, as in GET /bank: where two wallets have the number.',
  });

/** The digest of the facts that the second of two people confirms. */
export const Digest = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', 'x-hint': 'must be the digest as it was shown', description });

export const MerchantParams = Type.Object({ merchantId: Uuid() });

/** The answer of an operation that has no other result. */
export const Done = Type.Object({ done: Type.Literal(true) });
export const DONE = { done: true } as const;

/** Naira in a body, or null for none. */
export const MaybeAmount = (description: string) => Type.Union([AmountFromZero(description), Type.Null()]);
