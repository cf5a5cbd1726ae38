import { Type } from 'typebox';
import {
  AccountNumber,
  Amount,
  BankCode,
  DateTime,
  Metadata,
  Money,
  Narration,
  PageQuery,
  PhoneNumber,
  Pin,
  Uuid,
} from '../../platform/http/schemas.ts';
import { TransactionStatusSchema } from '../../transactions/index.ts';
import { PayoutSchema, Purpose } from '../schemas.ts';

export const QuoteBody = Type.Object(
  { amount: Amount(), purpose: Type.Optional(Purpose()) },
  { additionalProperties: false },
);

export const QuoteSchema = Type.Object({
  amount: Money('What the beneficiary gets.'),
  fee: Money('Transfer fee.'),
  vat: Money('VAT on the fee.'),
  stampDuty: Money('Stamp duty borne by the sender.'),
  charges: Money('Fee, VAT and duty.'),
  total: Money('What leaves the wallet.'),
  currency: Type.Literal('NGN'),
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
      // Our own references begin with MNL or MNB and are not for others to use.
      pattern: '^(?!MN[LB])[A-Za-z0-9._/-]{1,64}$',
      description: 'Your own reference, unique for ever.',
      examples: ['INV-2026-0042'],
      'x-hint': 'must be 1 to 64 letters, digits, dots, dashes, slashes or underscores, not beginning with MNL or MNB',
    }),
  ),
  purpose: Type.Optional(Purpose()),
  metadata: Type.Optional(Metadata()),
};

export const PaySingleBody = Type.Object(single, { additionalProperties: false });

export const SchedulePayoutBody = Type.Object(
  { ...single, scheduledFor: DateTime('When to pay: ISO 8601 with an offset, in the future, at most a year ahead.') },
  { additionalProperties: false },
);

export const ScheduleSchema = Type.Interface([PayoutSchema], { scheduleId: Uuid(), scheduledFor: DateTime() });

export const ListSchedulesQuery = Type.Object(
  { ...PageQuery, status: Type.Optional(TransactionStatusSchema) },
  { additionalProperties: false },
);

export const CancelScheduleBody = Type.Object(
  { scheduleId: Uuid('See POST /payout/single/schedule.') },
  { additionalProperties: false },
);
