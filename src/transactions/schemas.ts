import { type Static, Type } from 'typebox';
import { PAYOUT_PURPOSES, SERVICE_PURPOSES } from '../fees/index.ts';
import { PeriodQuery } from '../platform/http/period.ts';
import {
  AccountNumber,
  AmountText,
  DateTime,
  type EventTypes,
  Money,
  Named,
  Nullable,
  SomeOf,
  Uuid,
} from '../platform/http/schemas.ts';
import { CursorText, listQuery } from '../platform/lists/schemas.ts';
import { ColumnsText, type CsvColumns } from '../platform/spreadsheet/write-csv.ts';
import { TRANSACTION_CATEGORIES, TRANSACTION_STATUSES } from './queries.ts';

export const TransactionStatusSchema = Named(
  'TransactionStatus',
  Type.Enum([...TRANSACTION_STATUSES], { description: 'See the states page.' }),
);
const TransactionCategorySchema = Named(
  'TransactionCategory',
  Type.Enum([...TRANSACTION_CATEGORIES], { description: 'Between which kinds of wallets and accounts it moves.' }),
);

export const Purpose = () =>
  Type.Enum([...PAYOUT_PURPOSES], {
    description: 'Why the money is sent: salaries and transfers to yourself carry no stamp duty. GENERAL if left out.',
  });

/** The purpose of an existing payout, which the service may have made by itself. */
const MadePurpose = () =>
  Type.Enum([...PAYOUT_PURPOSES, ...SERVICE_PURPOSES], {
    description:
      'Why the money is sent. SETTLEMENT: what was collected goes to the merchant’s bank. REFUND: a payment goes back to its payer.',
  });

/** Further fields of a payout, wherever it is shown. */
export const payoutFields = {
  fee: Money('Transfer fee.'),
  vat: Money('VAT on the fee.'),
  stampDuty: Money('Stamp duty borne by the sender.'),
  purpose: MadePurpose(),
  phoneNumber: Nullable(Type.String()),
  sessionId: Nullable(Type.String({ description: 'What the beneficiary’s bank can trace the transfer by.' })),
  railCode: Nullable(Type.String({ description: 'The last code of the rail.' })),
  scheduleId: Nullable(Uuid('The same as transactionId, for a scheduled payout.')),
  scheduledFor: Nullable(DateTime()),
  approvalId: Nullable(
    Uuid('What people had to approve before it; null where nothing had to be. See GET /approval/{approvalId}.'),
  ),
};

/** Every transaction on the wire, whatever moved. What only payouts have is absent in all others. */
export const TransactionSchema = Named(
  'Transaction',
  Type.Object({
    transactionId: Uuid(),
    reference: Type.String({ description: 'Your own reference where you gave one, otherwise ours.' }),
    category: TransactionCategorySchema,
    status: TransactionStatusSchema,
    conclusive: Type.Boolean({ description: 'May you act on this status as final?' }),
    reason: Nullable(Type.String({ description: 'Why it stands as it stands, UPPER_SNAKE.' })),
    amount: Money('What was moved.'),
    charges: Money('Fee, VAT and stamp duty borne by the sender.'),
    totalAmount: Money('Amount and charges.'),
    currency: Type.Literal('NGN'),
    narration: Type.String(),
    description: Type.String({ examples: ['₦1,500.50 was moved from store Ikeja to the merchant wallet'] }),
    merchantId: Uuid(),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    walletId: Uuid(),
    fromWalletId: Nullable(Uuid()),
    toWalletId: Nullable(Uuid()),
    providerWalletId: Uuid('The float at the wallet provider.'),
    storeId: Nullable(Uuid()),
    storeName: Nullable(Type.String()),
    subaccountId: Nullable(Uuid()),
    batchReference: Nullable(Type.String({ description: 'The bulk payout that this was an item of.' })),
    beneficiaryBankName: Type.String(),
    beneficiaryBankCode: Type.String(),
    beneficiaryAccountNumber: Type.String(),
    beneficiaryAccountName: Type.String(),
    originatorBankName: Type.String(),
    originatorBankCode: Type.String(),
    originatorAccountNumber: Type.String(),
    originatorAccountName: Type.String(),
    metadata: Type.Unknown({ description: 'What you sent, unchanged.' }),
    createdAt: DateTime(),
    updatedAt: DateTime(),
    paidAt: Nullable(DateTime()),
    ...Type.Partial(Type.Object(payoutFields)).properties,
  }),
);

export const TransactionParams = Type.Object({ transactionId: Uuid('The transaction.') });

const RECENT = 'Within the last 90 days unless from says otherwise.';

/** The end of a list that comes first. */
export const TimeOrderSchema = () =>
  Type.Enum(['NEWEST', 'OLDEST'], { description: 'What comes first; NEWEST where left out.' });

/** Part of a name or account number in a query string. */
export const PartText = (description: string) =>
  Type.String({
    minLength: 2,
    maxLength: 100,
    pattern: '^[^\\x00-\\x1f]*$',
    'x-hint': 'must be 2 to 100 characters',
    description,
    examples: ['Obi'],
  });

const filter = {
  ...PeriodQuery,
  status: Type.Optional(SomeOf(TRANSACTION_STATUSES, 'Only those in one of these states.', ['FAILED', 'REVERSED'])),
  category: Type.Optional(TransactionCategorySchema),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Your own reference, or ours.' })),
  accountNumber: Type.Optional(AccountNumber(`Payouts to this account. ${RECENT}`)),
  counterparty: Type.Optional(
    PartText(`Part of the name or account number of whom the money went to or came from, in any case. ${RECENT}`),
  ),
  amountFrom: Type.Optional(AmountText(`The amount, without charges, is at least this. ${RECENT}`)),
  amountTo: Type.Optional(AmountText(`The amount, without charges, is at most this. ${RECENT}`)),
  rail: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9-]{1,39}$',
      'x-hint': 'must be the name of a rail',
      description: `Payouts by this rail, see GET /payout/rail. ${RECENT}`,
      examples: ['sandbox'],
    }),
  ),
  batchReference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The items of a bulk payout.' }),
  ),
  idempotencyKey: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      'x-hint': 'must be 1 to 255 visible ASCII characters',
      description: 'What the request with this Idempotency-Key made: one transaction, or the items of a bulk payout.',
    }),
  ),
};
const order = { order: Type.Optional(TimeOrderSchema()) };

export const ListTransactionsQuery = Type.Object(
  {
    ...listQuery(),
    before: CursorText(
      'The rows before this cursor, previousCursor of an answer. Or a transactionId, for only what is older than it.',
    ),
    ...filter,
    ...order,
  },
  { additionalProperties: false },
);

export const TransactionTotalsQuery = Type.Object(filter, { additionalProperties: false });

export const transactionsCsvQuery = (columns: CsvColumns<never>) =>
  Type.Object({ ...filter, ...order, columns: Type.Optional(ColumnsText(columns)) }, { additionalProperties: false });

/** The filter of a request, as it came. */
export type TransactionFilterQuery = Static<typeof TransactionTotalsQuery> & { order?: 'NEWEST' | 'OLDEST' };

/**
 * `UNKNOWN_TOO_LONG`: nobody knows the outcome. `RAIL_CONTRADICTS`: a rail says two things about it.
 * `RAIL_ANSWER_MISMATCH`: a rail answered about another transfer. `APPROVAL_SUBJECT_ALTERED`: it is not what was
 * approved. `UNDER_REVIEW`: the operator looks into it before it is sent.
 */
export const OPERATOR_REASONS = [
  'UNKNOWN_TOO_LONG',
  'RAIL_CONTRADICTS',
  'RAIL_ANSWER_MISMATCH',
  'APPROVAL_SUBJECT_ALTERED',
  'UNDER_REVIEW',
] as const;

/** The facts in one answer. Null where the rail does not give them in that kind of answer. */
export const ReportedSchema = Named(
  'Reported',
  Type.Object(
    {
      reference: Nullable(Type.String()),
      amount: Nullable(Type.String({ description: 'As text, because it may be any.', examples: ['1000.00'] })),
      currency: Nullable(Type.String({ examples: ['NGN'] })),
      accountNumber: Nullable(Type.String({ description: 'Some rails mask it.' })),
      bankCode: Nullable(Type.String()),
    },
    { description: 'What the rail says that its answer is about; null where it says nothing of it.' },
  ),
);

export const EvidenceSchema = Named(
  'Evidence',
  Type.Object({
    transaction: TransactionSchema,
    transfers: Type.Array(
      Type.Object({
        transferId: Uuid(),
        kind: Type.Enum(['POSTED', 'PENDING', 'POST', 'VOID']),
        code: Type.String({ description: 'Why money moved, for example PAYOUT_FEE.' }),
        pendingTransferId: Nullable(Uuid('The pending transfer that this one posted or voided.')),
        amount: Money('What was moved or held.'),
        currency: Type.Literal('NGN'),
        debitAccountId: Uuid(),
        debitBalanceAfter: Money('Booked.'),
        creditAccountId: Uuid(),
        creditBalanceAfter: Money('Booked.'),
        createdAt: DateTime(),
      }),
    ),
    stateChanges: Type.Array(
      Type.Object({ from: Type.String(), to: Type.String(), reason: Nullable(Type.String()), createdAt: DateTime() }),
    ),
    events: Type.Array(
      Type.Object({ eventId: Uuid(), sequence: Type.Integer(), type: Type.String(), createdAt: DateTime() }),
      { description: 'Of a payout. A wallet transfer has one transaction.succeeded, which GET /event has.' },
    ),
    nameEnquiry: Type.Optional(
      Type.Object(
        {
          bankName: Type.String(),
          bankCode: Type.String(),
          accountNumber: Type.String(),
          accountName: Type.String({ description: 'Whom the bank named when the payout was accepted.' }),
          givenName: Nullable(Type.String({ description: 'Of a bulk item: the name that you gave.' })),
          matchScore: Nullable(Type.Integer({ description: 'How like the two are, 0 to 100.' })),
          askedAt: DateTime(),
        },
        { description: 'Of a payout.' },
      ),
    ),
    rail: Type.Optional(Type.String({ description: 'Of a payout: the rail that has it now.' })),
    railReference: Type.Optional(
      Type.String({ description: 'Under which the rail knows it, however often it was sent.' }),
    ),
    refusedByRail: Type.Optional(
      Nullable(Type.String({ description: 'The rail that definitely refused it before it failed over to this one.' })),
    ),
    operatorReason: Type.Optional(
      Nullable(Type.Enum([...OPERATOR_REASONS], { description: 'Why people are looking into it.' })),
    ),
    operatorSince: Type.Optional(Nullable(DateTime())),
    approvalId: Type.Optional(Nullable(Uuid('Of a payout: what people had to approve before it.'))),
    attempts: Type.Optional(
      Type.Array(
        Type.Object({
          id: Uuid(),
          kind: Type.Enum(['SEND', 'QUERY', 'PROVIDER_WEBHOOK', 'SETTLEMENT', 'OPERATOR']),
          rail: Type.String(),
          startedAt: DateTime(),
          endedAt: Nullable(DateTime('Null: under way, or nobody heard the answer.')),
          outcome: Nullable(Type.Enum(['succeeded', 'failed', 'unknown', 'not_found', 'reversed'])),
          code: Nullable(Type.String({ description: 'The rail’s own.' })),
          reason: Nullable(
            Type.String({ description: 'Our word for it, UPPER_SNAKE; where it was not believed, why.' }),
          ),
          message: Nullable(Type.String()),
          sessionId: Nullable(Type.String({ description: 'By which the beneficiary’s bank can trace it.' })),
          reported: Nullable(ReportedSchema),
        }),
        { description: 'Of a payout, in order: every call to a rail, and every response that came another way.' },
      ),
    ),
  }),
);

export const transactionEvents: EventTypes = {
  'transaction.succeeded': {
    summary: 'Money moved between wallets of the merchant, or into one.',
    data: TransactionSchema,
  },
};
