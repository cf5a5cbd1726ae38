import { type Static, Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import {
  AccountNumber,
  Amount,
  BankCode,
  DateTime,
  type EventTypes,
  Money,
  Named,
  Nullable,
  Pin,
  SomeOf,
  Uuid,
  VisibleText,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { ColumnsText } from '../platform/spreadsheet/write-csv.ts';
import { TimeOrderSchema } from '../transactions/index.ts';
import { REFUND_CAUSES, REFUND_STATUSES, REFUND_WAYS } from './queries.ts';
import { RULE_WAYS, TO_REFUND_STATUSES } from './rule-queries.ts';
import { REFUND_COLUMNS } from './views.ts';

const MAX_NOTE = 64;

const Way = (description: string) => Type.Enum([...REFUND_WAYS], { description });

export const RefundSchema = Named(
  'Refund',
  Type.Object({
    refundId: Uuid('Of the transaction too, once the provider has sent it.'),
    paymentId: Uuid('Of which it goes back.'),
    reference: Nullable(Type.String({ description: 'Your own.' })),
    status: Type.Enum([...REFUND_STATUSES], {
      description: 'NEEDS_DETAILS: the provider wants the payer’s account. See the states page.',
    }),
    conclusive: Type.Boolean({ description: 'May you act on this status as final?' }),
    reason: Nullable(
      Type.String({ description: 'Why it stands as it stands, for programs.', examples: ['RAIL_REFUSED'] }),
    ),
    way: Way('PROVIDER: the provider of the payment sends it. PAYOUT: a payout to the payer’s account.'),
    cause: Type.Enum([...REFUND_CAUSES], {
      description: 'MERCHANT: you asked for it. LATE, EXCESS: your rule for refunds made it.',
    }),
    amount: Money('What goes back to the payer.'),
    currency: Type.Literal('NGN'),
    note: Nullable(Type.String({ description: 'Why, in your words.' })),
    walletId: Uuid('That it leaves.'),
    payoutTransactionId: Nullable(Uuid('The payout that it is, with the way PAYOUT.')),
    account: Nullable(
      Type.Object(
        { bankCode: Type.String(), accountNumber: Type.String(), accountName: Type.String() },
        { description: 'The payer’s account, where it had to be named.' },
      ),
    ),
    providerReference: Nullable(Type.String({ description: 'The provider’s own id of the refund.' })),
    approvalId: Nullable(Uuid('What people had to approve before it; null where nothing had to be.')),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  }),
);

/** The scenario header of a refund. */
export const RefundScenarioHeaders = Type.Object({
  'x-sandbox-scenario': Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Sandbox only: the scenario to play, of refunds with the way PROVIDER and of the rail with PAYOUT.',
      examples: ['refund-pending-then-processed'],
    }),
  ),
});

export const RefundParams = Type.Object({ refundId: Uuid('The refund.') });
export const RefundPaymentParams = Type.Object({ paymentId: Uuid('The payment.') });

const account = { bankCode: BankCode(), accountNumber: AccountNumber('The payer’s, 10 digits.') };

export const RefundBody = Type.Object(
  {
    pin: Pin(),
    amount: Type.Optional(Amount('Naira, at most two decimals. Left out: all that is left of the payment.')),
    note: Type.Optional(
      VisibleText({
        minLength: 1,
        maxLength: MAX_NOTE,
        description: 'Why, in your words. The provider may show it to the payer.',
        examples: ['Order 4411 was cancelled'],
      }),
    ),
    way: Type.Optional(Way('Left out: PROVIDER where the provider sends refunds, PAYOUT otherwise.')),
    reference: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._/-]{1,64}$',
        description: 'Your own reference, unique for ever among your refunds.',
        examples: ['REFUND-2026-0042'],
        'x-hint': 'must be 1 to 64 letters, digits, dots, dashes, slashes or underscores',
      }),
    ),
    account: Type.Optional(
      Type.Object(account, {
        additionalProperties: false,
        description:
          'The payer’s account, for a payout where the payment does not say it. It must be in the payer’s name.',
      }),
    ),
    allowDuplicate: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Refund although the same amount of the same payment was refunded a moment ago.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RefundInputBody = Static<typeof RefundBody>;

export const RefundDetailsBody = Type.Object({ pin: Pin(), ...account }, { additionalProperties: false });

const filter = {
  ...PeriodQuery,
  status: Type.Optional(SomeOf(REFUND_STATUSES, 'Only those in one of these states.', ['NEEDS_DETAILS', 'FAILED'])),
  way: Type.Optional(Way('Only those that go this way.')),
  cause: Type.Optional(Type.Enum([...REFUND_CAUSES], { description: 'Only those with this cause.' })),
  paymentId: Type.Optional(Uuid('Only those of this payment.')),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Your own reference.' })),
};
const order = { order: Type.Optional(TimeOrderSchema()) };

export const ListRefundsQuery = Type.Object({ ...listQuery(), ...filter, ...order }, { additionalProperties: false });
export const RefundsCsvQuery = Type.Object(
  { ...filter, ...order, columns: Type.Optional(ColumnsText(REFUND_COLUMNS)) },
  { additionalProperties: false },
);
export type RefundFilterQuery = Omit<Static<typeof RefundsCsvQuery>, 'columns'>;
export const RefundPage = ListPage(RefundSchema);

export const RefundAttemptSchema = Named(
  'RefundAttempt',
  Type.Object({
    kind: Type.Enum(['SEND', 'QUERY', 'DETAILS', 'CHECK', 'OPERATOR'], {
      description: 'A call to the provider; OPERATOR: what two of the operator’s people decided.',
    }),
    startedAt: DateTime(),
    endedAt: Nullable(DateTime('Null: there is no answer yet.')),
    outcome: Nullable(Type.String({ examples: ['succeeded'] })),
    code: Nullable(Type.String({ description: 'The provider’s own code.' })),
    reason: Nullable(Type.String()),
    message: Nullable(Type.String()),
  }),
);

export const RefundDetailSchema = Named(
  'RefundDetail',
  Type.Object({ refund: RefundSchema, evidence: Type.Array(RefundAttemptSchema) }),
);

const ruleWords = {
  late: 'Payments that come after their payment session has ended. OFF: they stay in the wallet. PROVIDER, PAYOUT: they go back, this way.',
  excess: 'The same of what is paid above the amount asked, and of a second payment for a session that is paid.',
};
const RuleWay = (description: string) => Type.Enum([...RULE_WAYS], { description });

export const RefundRuleSchema = Named(
  'RefundRule',
  Type.Object({
    version: Type.Integer({ description: 'Grows with each change; 0: nothing was set.' }),
    late: RuleWay(ruleWords.late),
    excess: RuleWay(ruleWords.excess),
    changedBy: Nullable(Type.String()),
    changedAt: Nullable(DateTime('The rule is for payments from then on.')),
  }),
);

export const RefundRuleBody = Type.Object(
  {
    late: Type.Optional(RuleWay(ruleWords.late)),
    excess: Type.Optional(RuleWay(ruleWords.excess)),
    pin: Pin(),
  },
  { additionalProperties: false },
);

const PaymentToRefundSchema = Named(
  'PaymentToRefund',
  Type.Object({
    paymentId: Uuid('The payment.'),
    cause: Type.Enum(['LATE', 'EXCESS'], { description: 'Why the rule is for it.' }),
    notOwed: Money('What the payer did not owe. What is refunded or disputed otherwise counts towards it.'),
    currency: Type.Literal('NGN'),
    status: Type.Enum([...TO_REFUND_STATUSES], {
      description:
        'WAITING: it is refunded as soon as it can be. REFUNDED: see the refund. LEFT: nothing goes back. REFUSED: refund it by hand.',
    }),
    conclusive: Type.Boolean({
      description:
        'May you act on this status as final? The rule does nothing more then; the refund that it made has its own.',
    }),
    reason: Nullable(
      Type.String({ description: 'Why nothing goes back, for programs.', examples: ['REFUND_TOO_SMALL'] }),
    ),
    refundId: Nullable(Uuid('The refund that the rule made.')),
    tryAgainAt: Nullable(DateTime('When it is looked at next.')),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    createdAt: DateTime('When the payment was booked.'),
    updatedAt: DateTime(),
  }),
);

export const ListToRefundQuery = Type.Object(
  {
    ...listQuery(),
    status: Type.Optional(SomeOf(TO_REFUND_STATUSES, 'Only those in one of these states.', ['REFUSED'])),
  },
  { additionalProperties: false },
);
export const ToRefundPage = ListPage(PaymentToRefundSchema);

const refund = (summary: string) => ({ summary, data: RefundSchema });

/** One event for every state that a refund can enter. */
export const refundEvents: EventTypes = {
  'refund.pending_approval': refund('A refund waits for approval; its amount is held.'),
  'refund.queued': refund('A refund was accepted; its amount is held.'),
  'refund.processing': refund('A refund is about to be sent, or its payer’s account was given.'),
  'refund.needs_details': refund('The provider wants the payer’s account for a refund: give it with the details.'),
  'refund.succeeded': refund('A refund is on its way to the payer, finally.'),
  'refund.failed': refund(
    'A refund was definitely not made, or its payout came back; what it held or took is free again.',
  ),
  'refund.cancelled': refund('A refund was not approved; nothing is held.'),
  'refund_rule.updated': {
    summary: 'What of payments goes back to payers by itself was changed.',
    data: RefundRuleSchema,
  },
  'refund_rule.left': {
    summary: 'The rule is for a payment, and sends nothing of it back: the reason says why.',
    data: PaymentToRefundSchema,
  },
  'refund_rule.refused': {
    summary: 'The rule is for a payment and cannot refund it: refund it by hand, where it is still owed.',
    data: PaymentToRefundSchema,
  },
};
