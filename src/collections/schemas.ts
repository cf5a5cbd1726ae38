import { type Static, Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import {
  AmountText,
  DateTime,
  type EventTypes,
  Money,
  MoneySum,
  Named,
  Nullable,
  SomeOf,
  Uuid,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { ColumnsText } from '../platform/spreadsheet/write-csv.ts';
import { PAYMENT_CHANNELS } from '../rails/index.ts';
import { PaymentReserveSchema } from '../reserves/index.ts';
import { PartText, TimeOrderSchema } from '../transactions/index.ts';
import { INBOUND_CHANNELS } from './queries.ts';
import { PAYMENT_COLUMNS } from './views.ts';

const STATUSES = ['CREDITED', 'PENDING_SETTLEMENT', 'SUSPENSE', 'RETURNED', 'KEPT'] as const;

const STATUS_WORDS =
  'CREDITED: it is in a wallet. PENDING_SETTLEMENT: it is the merchant’s, and gets to the wallet once the provider ' +
  'has settled it. SUSPENSE: it is held until the operator has decided. RETURNED: it went back to ' +
  'its payer. KEPT: the operator kept it.';

/** The status of a payment in, in other schemas. */
export const inboundStatus = (description: string) =>
  Type.Enum([...STATUSES], { description: `${description} ${STATUS_WORDS}` });

const InboundPaymentSchema = Named(
  'InboundPayment',
  Type.Object({
    paymentId: Uuid('Of the transaction too, once it is in a wallet.'),
    status: Type.Enum([...STATUSES], { description: STATUS_WORDS }),
    conclusive: Type.Boolean({ description: 'May you act on this status as final?' }),
    reason: Nullable(
      Type.String({
        description: 'Why it is held, or what is odd about it, such as LATE; for programs.',
        examples: ['MERCHANT_SUSPENDED', 'ACCOUNT_CLOSED', 'UNDER_REVIEW'],
      }),
    ),
    walletId: Uuid('To which it was paid.'),
    creditedWalletId: Nullable(Uuid('The wallet that has it; null while none has.')),
    amount: Money('What the payer sent, whole.'),
    fee: Money('What the operator took of it, with the credit; zero while no wallet has it.'),
    vat: Money('VAT on the fee.'),
    net: Money('Amount less fee and VAT: what is the merchant’s of it.'),
    reserve: Money(
      'What of that is kept in reserve, and comes back to the wallet on its day; zero while no wallet has it.',
    ),
    channel: Nullable(
      Type.Enum([...PAYMENT_CHANNELS], { description: 'How it was paid; null where the provider does not say.' }),
    ),
    currency: Type.Literal('NGN'),
    accountNumber: Type.String({
      description: 'To which it was paid, 10 digits; our reference where it was paid on a page of the provider.',
      examples: ['0123456785'],
    }),
    payer: Type.Object({
      name: Nullable(Type.String()),
      accountNumber: Nullable(Type.String({ description: 'May be masked, as the provider gives it.' })),
      bankName: Nullable(Type.String()),
    }),
    customerId: Nullable(
      Uuid('The customer whose account number it was paid to, or whom the payment session names; null: nobody said.'),
    ),
    narration: Nullable(Type.String()),
    sessionId: Nullable(Type.String({ description: 'By which banks trace the transfer.' })),
    providerReference: Nullable(Type.String()),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    paidAt: Nullable(DateTime('When the provider received it, where it says so.')),
    confirmedAt: DateTime('When the provider confirmed it to us, and it was booked.'),
    updatedAt: DateTime(),
  }),
);

/** Money that is not available yet. */
export const PendingSchema = Named(
  'PendingCollections',
  Type.Object({
    amount: MoneySum('What waits, whole: the operator’s fee is taken when it gets to the wallet.'),
    payments: Type.Integer({ description: 'How many payments that is.' }),
    currency: Type.Literal('NGN'),
  }),
);

export const InboundPaymentPage = ListPage(InboundPaymentSchema);

const RECENT = 'Within the last 90 days unless from says otherwise.';
const filter = {
  ...PeriodQuery,
  status: Type.Optional(SomeOf(STATUSES, 'Only those in one of these states.', ['PENDING_SETTLEMENT', 'SUSPENSE'])),
  amountFrom: Type.Optional(AmountText(`The amount, whole, is at least this. ${RECENT}`)),
  amountTo: Type.Optional(AmountText(`The amount, whole, is at most this. ${RECENT}`)),
  channel: Type.Optional(
    Type.Enum([...INBOUND_CHANNELS], {
      description: `How it was paid as the provider says, or where: to an ACCOUNT number, or through a PAGE of the provider. ${RECENT}`,
    }),
  ),
  payer: Type.Optional(PartText(`Part of the payer’s name or account number, in any case. ${RECENT}`)),
  walletId: Type.Optional(Uuid('Only what was paid to this wallet.')),
  customerId: Type.Optional(Uuid('Only what this customer paid.')),
};

const order = { order: Type.Optional(TimeOrderSchema()) };

export const ListInboundQuery = Type.Object({ ...listQuery(), ...filter, ...order }, { additionalProperties: false });
export const InboundTotalsQuery = Type.Object(filter, { additionalProperties: false });
export const InboundCsvQuery = Type.Object(
  { ...filter, ...order, columns: Type.Optional(ColumnsText(PAYMENT_COLUMNS)) },
  { additionalProperties: false },
);

/** The filters of the list, as the request has them. */
export type InboundFilterQuery = Static<typeof InboundTotalsQuery> & { order?: 'NEWEST' | 'OLDEST' };

export const InboundParams = Type.Object({ paymentId: Uuid('The payment.') });

const InboundEvidenceSchema = Named(
  'InboundEvidence',
  Type.Object({
    source: Type.Enum(['WEBHOOK', 'POLL', 'CHECK'], { description: 'What made us ask the provider.' }),
    outcome: Type.String({ examples: ['confirmed'] }),
    code: Nullable(Type.String({ description: 'The provider’s own code.' })),
    receivedAt: DateTime('When the provider answered.'),
  }),
);

/** A payment, with the answers that confirmed it and what went back of it. */
export const InboundDetailSchema = Named(
  'InboundPaymentDetail',
  Type.Object({
    payment: InboundPaymentSchema,
    refunds: Type.Object({
      refundedAmount: Money('What has gone back to the payer.'),
      pendingAmount: Money('What is on its way back: it waits for approval, or for the provider.'),
      refundableAmount: Money('What may still be refunded: what is neither refunded, nor on its way, nor disputed.'),
    }),
    reserve: Nullable(PaymentReserveSchema),
    evidence: Type.Array(InboundEvidenceSchema),
  }),
);

export const collectionEvents: EventTypes = {
  'inbound_payment.credited': {
    summary: 'Somebody paid to an account number of a wallet, and the wallet has it, less the operator’s fee and VAT.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.pending': {
    summary:
      'Somebody paid to an account number of a wallet; the wallet has it once the provider has settled it, and then ' +
      '`inbound_payment.credited` comes.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.held': {
    summary: 'Somebody paid to an account number of a wallet, and the amount is held: `reason` says why.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.returned': {
    summary: 'A payment that was held went back to its payer.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.kept': {
    summary: 'A payment that was held stays with the operator.',
    data: InboundPaymentSchema,
  },
};
