import { type Static, Type } from 'typebox';
import { Named } from '../platform/http/schemas.ts';
import { payoutFields, TransactionSchema } from '../transactions/index.ts';

/** Chooses what the sandbox rail does with this request. */
export const ScenarioHeaders = Type.Object({
  'x-sandbox-scenario': Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Sandbox only: the scenario to play.',
      examples: ['pending-then-success'],
    }),
  ),
});

export const PayoutSchema = Named(
  'Payout',
  Type.Interface([TransactionSchema], {
    category: Type.Literal('PAYOUT'),
    ...payoutFields,
  }),
);

export const RequeryBody = Type.Object(
  {
    transactionId: Type.Optional(Type.String({ maxLength: 100, description: 'The id, the reference, or both.' })),
    reference: Type.Optional(Type.String({ maxLength: 100, description: 'Ours or your own.' })),
  },
  { additionalProperties: false, minProperties: 1, 'x-hint': 'must have transactionId, reference or both' },
);

/** A requery also takes transactions that are not payouts, if only to say that they are completed. */
export type RequeryInput = Static<typeof RequeryBody>;
