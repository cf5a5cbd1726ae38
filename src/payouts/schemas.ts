import { type Static, Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import {
  AccountNumber,
  Amount,
  BankCode,
  DateTime,
  type EventTypes,
  Metadata,
  Money,
  Named,
  Narration,
  Nullable,
  PhoneNumber,
  Pin,
  Uuid,
} from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { Purpose, payoutFields, TransactionSchema, TransactionStatusSchema } from '../transactions/index.ts';

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

/** A requery also accepts transactions that are not payouts, to answer that they are completed. */
export type RequeryInput = Static<typeof RequeryBody>;

export const QuoteBody = Type.Object(
  { amount: Amount(), purpose: Type.Optional(Purpose()) },
  { additionalProperties: false },
);

export const QuoteSchema = Named(
  'Quote',
  Type.Object({
    amount: Money('What the beneficiary gets.'),
    fee: Money('Transfer fee.'),
    vat: Money('VAT on the fee.'),
    stampDuty: Money('Stamp duty borne by the sender.'),
    charges: Money('Fee, VAT and duty.'),
    total: Money('What leaves the wallet.'),
    currency: Type.Literal('NGN'),
    lines: Type.Array(
      Type.Object({
        kind: Type.Enum(['TRANSFER_FEE', 'VAT', 'STAMP_DUTY']),
        amount: Money('What the payer bears.'),
        payer: Nullable(Type.Enum(['SENDER', 'RECEIVER'], { description: 'Only what the sender bears is charged.' })),
        ruleId: Nullable(Type.String({ examples: ['ngn-stamp-duty-2026-sender'] })),
        effectiveFrom: Nullable(DateTime('Since when the rule is in force.')),
        rounding: Nullable(
          Type.Enum(['HALF_UP', 'HALF_EVEN', 'DOWN', 'UP'], { description: 'What becomes of a fraction of a kobo.' }),
        ),
        source: Nullable(Type.String({ description: 'The law, circular or decision behind the rule.' })),
        reason: Nullable(Type.String({ description: 'Why the sender bears nothing, such as an exempt purpose.' })),
      }),
      { description: 'Fee, VAT and duty one by one.' },
    ),
  }),
);

const AllowDuplicate = () =>
  Type.Boolean({
    default: false,
    description: 'Pay although the same amount was paid to the same account a moment ago. See GET /payout/limit.',
  });

const single = {
  pin: Pin(),
  amount: Amount(),
  bankCode: BankCode(),
  accountNumber: AccountNumber(),
  narration: Narration(),
  phoneNumber: Type.Optional(PhoneNumber()),
  reference: Type.Optional(
    Type.String({
      // References that begin with MNL or MNB are ours.
      pattern: '^(?!MN[LB])[A-Za-z0-9._/-]{1,64}$',
      description: 'Your own reference, unique for ever.',
      examples: ['INV-2026-0042'],
      'x-hint': 'must be 1 to 64 letters, digits, dots, dashes, slashes or underscores, not beginning with MNL or MNB',
    }),
  ),
  purpose: Type.Optional(Purpose()),
  metadata: Type.Optional(Nullable(Metadata())),
  allowDuplicate: Type.Optional(AllowDuplicate()),
};

export const PaySingleBody = Type.Object(single, { additionalProperties: false });

export const SchedulePayoutBody = Type.Object(
  {
    ...single,
    scheduledFor: Type.String({
      format: 'date-time',
      description: 'When to pay: ISO 8601 with an offset, in the future, at most a year ahead.',
      examples: ['2026-12-24T09:00:00+01:00'],
      'x-hint': 'must be a date and time that exists, with its offset, such as 2026-12-24T09:00:00+01:00',
    }),
  },
  { additionalProperties: false },
);

export const ScheduleSchema = Named(
  'Schedule',
  Type.Interface([PayoutSchema], { scheduleId: Uuid(), scheduledFor: DateTime() }),
);

export const ListSchedulesQuery = Type.Object(
  { ...listQuery(), ...PeriodQuery, status: Type.Optional(TransactionStatusSchema) },
  { additionalProperties: false },
);

export const CancelScheduleBody = Type.Object(
  { scheduleId: Uuid('See POST /payout/single/schedule.') },
  { additionalProperties: false },
);

const payout = (summary: string) => ({ summary, data: PayoutSchema });

/** One event for every state that a payout can enter. */
export const payoutEvents: EventTypes = {
  'payout.pending_approval': payout('A payout waits for approval; one that is to be paid now is held.'),
  'payout.scheduled': payout('A payout was accepted for a later date; nothing is held.'),
  'payout.queued': payout('A payout was accepted; amount and charges are held.'),
  'payout.processing': payout('A payout is about to be sent to the bank.'),
  'payout.succeeded': payout('A payout was paid. It can still be reversed.'),
  'payout.failed': payout('A payout was definitely not paid; what was held is free again.'),
  'payout.reversed': payout('The bank returned the money of a payout; amount and charges are back.'),
  'payout.cancelled': payout('A payout was called off before it was sent, or was not approved; nothing is held.'),
};
