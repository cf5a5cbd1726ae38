import { Type } from 'typebox';
import { Amount, DateTime, Named, Uuid } from '../platform/http/schemas.ts';
import { TransactionSchema } from '../transactions/index.ts';

/** A year: longer than any schedule may lie ahead. */
const MAX_SECONDS = 31_536_000;

export const FundWalletBody = Type.Object(
  { walletId: Uuid('Any wallet of yours: main, store or subaccount.'), amount: Amount() },
  { additionalProperties: false },
);

export const FundingSchema = Named(
  'Funding',
  Type.Interface([TransactionSchema], { category: Type.Literal('WALLET_FUNDING') }),
);

export const AdvanceClockBody = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 1,
      maximum: MAX_SECONDS,
      examples: [3600],
      'x-hint': `must be from 1 to ${MAX_SECONDS}`,
    }),
  },
  { additionalProperties: false },
);

export const AdvanceSchema = Named(
  'Advance',
  Type.Object({
    seconds: Type.Integer(),
    advancedAt: DateTime('When it was done; records keep real times.'),
  }),
);
