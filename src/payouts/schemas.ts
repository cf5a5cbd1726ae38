import { type Static, Type } from 'typebox';
import { PAYOUT_PURPOSES } from '../fees/index.ts';
import { DateTime, Money, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { TransactionSchema } from '../transactions/index.ts';

export const Purpose = () =>
  Type.Enum([...PAYOUT_PURPOSES], {
    description: 'Why the money is sent: salaries and transfers to yourself carry no stamp duty. GENERAL if left out.',
  });

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
    fee: Money('Transfer fee.'),
    vat: Money('VAT on the fee.'),
    stampDuty: Money('Stamp duty borne by the sender.'),
    purpose: Purpose(),
    phoneNumber: Nullable(Type.String()),
    sessionId: Nullable(Type.String({ description: 'What the beneficiary’s bank can trace the transfer by.' })),
    railCode: Nullable(Type.String({ description: 'The last code of the rail.' })),
    scheduleId: Nullable(Uuid('The same as transactionId, for a scheduled payout.')),
    scheduledFor: Nullable(DateTime()),
    approvalId: Nullable(
      Uuid('What people had to approve before it; null where nothing had to be. See GET /approval/{approvalId}.'),
    ),
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
