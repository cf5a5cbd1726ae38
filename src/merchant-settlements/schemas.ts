import { Type } from 'typebox';
import {
  AmountFromZero,
  DateTime,
  type EventTypes,
  Money,
  Named,
  Nullable,
  Pin,
  SomeOf,
  Uuid,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { ColumnsText } from '../platform/spreadsheet/write-csv.ts';
import { KIND_WORDS } from './line-kinds.ts';
import { SETTLEMENT_STATUSES, SETTLEMENT_TRIGGERS } from './queries.ts';
import { SCHEDULES } from './schedule-queries.ts';
import { LINE_COLUMNS } from './views.ts';

const KINDS = Object.keys(KIND_WORDS).join(', ');
const Kind = () =>
  Type.String({
    description: `What kind of line: ${KINDS}. More may come; a movement of a new kind has the code of its transfer.`,
    examples: ['PAYMENT'],
  });
const Counted = () =>
  Type.Boolean({ description: 'It comes to the net that is settled; the rest only moves the balance.' });

const SummarySchema = Type.Object({
  kind: Kind(),
  label: Type.String({ description: 'The same, for people.', examples: ['Payments'] }),
  lines: Type.Integer({ description: 'How many entries of the wallet; a payout has one for each of its charges too.' }),
  amount: Money('What they come to; below zero where it left the wallet.'),
  settled: Counted(),
});

export const SettlementSchema = Named(
  'MerchantSettlement',
  Type.Object({
    settlementId: Uuid(),
    number: Type.Integer({ description: 'Of yours in this mode, from 1 without a gap.' }),
    walletId: Uuid('The wallet that it was made of: your main one, or that of a store or subaccount.'),
    trigger: Type.Enum([...SETTLEMENT_TRIGGERS], { description: 'What made it.' }),
    status: Type.Enum([...SETTLEMENT_STATUSES], {
      description:
        'PROCESSING: its payout is on its way. PAID: the bank has it. FAILED: the money is in the wallet, and it is tried again.',
    }),
    conclusive: Type.Boolean({ description: 'True once it is paid.' }),
    reason: Nullable(Type.String({ description: 'Why it failed; for programs.', examples: ['RETURNED_BY_BANK'] })),
    businessDay: Type.String({ format: 'date', description: 'The day in Lagos for which it was made.' }),
    cutOff: DateTime('What was booked before is in it.'),
    opening: Money('The booked balance of the wallet before the first line.'),
    summary: Type.Array(SummarySchema, { description: 'Opening and all of these come to closing.' }),
    closing: Money('The booked balance after the last line.'),
    net: Money('What was collected: the lines with settled true.'),
    carriedIn: Money('What the settlement before left to this one.'),
    amount: Money('What its payout takes to the bank.'),
    fee: Money('Transfer fee of the payout.'),
    vat: Money('VAT on the fee.'),
    stampDuty: Money('Stamp duty of the payout.'),
    total: Money('Amount and charges: what leaves the wallet.'),
    carriedOut: Money('What goes with the next one.'),
    currency: Type.Literal('NGN'),
    bankCode: Type.String(),
    bankName: Type.String(),
    accountNumber: Type.String(),
    accountName: Type.String(),
    payoutId: Uuid('Its latest payout: the transactionId.'),
    payoutReference: Type.String(),
    sessionId: Nullable(Type.String({ description: 'What your bank can trace the transfer by.' })),
    attempts: Type.Integer({ description: 'Payouts made for it, one after the other.' }),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    paidAt: Nullable(DateTime()),
    tryAgainAt: Nullable(DateTime('When one that failed is tried again.')),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  }),
);

export const SettlementPage = ListPage(SettlementSchema);

const LineSchema = Named(
  'MerchantSettlementLine',
  Type.Object({
    lineId: Uuid(),
    kind: Kind(),
    label: Type.String(),
    code: Type.String({ description: 'Why the money moved, as in the statement of the wallet.' }),
    transactionId: Uuid(),
    reference: Type.String(),
    narration: Type.String(),
    amount: Money('Below zero where it left the wallet.'),
    balance: Money('Booked in the wallet after it.'),
    settled: Counted(),
    bookedAt: DateTime(),
  }),
);

export const LinePage = ListPage(LineSchema);

export const ListSettlementsQuery = Type.Object(
  {
    ...listQuery(),
    status: Type.Optional(SomeOf(SETTLEMENT_STATUSES, 'Only those in one of these states.')),
    walletId: Type.Optional(Uuid('Only those of this wallet.')),
  },
  { additionalProperties: false },
);
export const LinesQuery = Type.Object(listQuery(), { additionalProperties: false });
export const LinesCsvQuery = Type.Object(
  { columns: Type.Optional(ColumnsText(LINE_COLUMNS)) },
  { additionalProperties: false },
);
export const SettlementParams = Type.Object({ settlementId: Uuid('The settlement.') });

export const SettleNowBody = Type.Object(
  {
    walletId: Type.Optional(Uuid('Of a store or subaccount that is settled. Left out: the main wallet.')),
    settlementId: Type.Optional(
      Uuid('One that failed, to try it again. Left out: what was collected since the last settlement.'),
    ),
    pin: Pin(),
  },
  { additionalProperties: false },
);

const words = {
  schedule:
    'OFF: only by hand. DAILY: on each working day at timeOfDay, up to the beginning of that day. INSTANT: within windowSeconds.',
  minimum: 'Less than this is not settled; the operator’s own minimum counts as well.',
  keepInWallet: 'So much of the available balance stays in the wallet.',
  timeOfDay: 'In Lagos, of working days.',
};

export const SettingsSchema = Named(
  'MerchantSettlementSettings',
  Type.Object({
    version: Type.Integer({ description: 'Grows with each change; 0: nothing was set.' }),
    schedule: Type.Enum([...SCHEDULES], { description: words.schedule }),
    minimum: Money(words.minimum),
    keepInWallet: Money(words.keepInWallet),
    timeOfDay: Type.String({ description: words.timeOfDay, examples: ['08:00'] }),
    operatorMinimum: Money('The operator’s minimum.'),
    allowed: Type.Boolean({ description: 'False: the operator has switched settlements off.' }),
    windowSeconds: Type.Integer({ description: 'Payments of so long go together where they are settled at once.' }),
    nextAt: Nullable(DateTime('When the next turn is; null where there is none, or while it is paused.')),
    pausedReason: Nullable(Type.String({ description: 'What stands against settlements now; for programs.' })),
    pausedWords: Nullable(Type.String({ description: 'The same, for people.' })),
    pausedSince: Nullable(DateTime()),
    lastResult: Nullable(Type.String({ description: 'Why the last turn made no settlement.' })),
    lastResultWords: Nullable(Type.String({ description: 'The same, for people.' })),
    changedBy: Nullable(Type.String()),
    changedAt: Nullable(DateTime()),
  }),
);

export const SettingsBody = Type.Object(
  {
    schedule: Type.Optional(Type.Enum([...SCHEDULES], { description: words.schedule })),
    minimum: Type.Optional(AmountFromZero(words.minimum)),
    keepInWallet: Type.Optional(AmountFromZero(words.keepInWallet)),
    timeOfDay: Type.Optional(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        description: words.timeOfDay,
        examples: ['08:00'],
        'x-hint': 'must be a time such as 08:00',
      }),
    ),
    pin: Pin(),
  },
  { additionalProperties: false },
);

export const WalletSettingsSchema = Named(
  'WalletSettlementSettings',
  Type.Object({
    walletId: Uuid(),
    walletName: Type.String({ description: 'The account name of the wallet.' }),
    version: Type.Integer({ description: 'Grows with each change; 0: nothing was set.' }),
    settled: Type.Boolean({
      description: 'What is collected in this wallet goes to your bank, when the main wallet is settled.',
    }),
    keepInWallet: Money(words.keepInWallet),
    lastResult: Nullable(Type.String({ description: 'Why the last turn made no settlement.' })),
    lastResultWords: Nullable(Type.String({ description: 'The same, for people.' })),
    lastSettlementId: Nullable(Uuid()),
    lastSettlementNumber: Nullable(Type.Integer()),
    lastSettlementStatus: Nullable(Type.Enum([...SETTLEMENT_STATUSES])),
    changedBy: Nullable(Type.String()),
    changedAt: Nullable(DateTime()),
  }),
);

export const WalletSettingsPage = ListPage(WalletSettingsSchema);
export const ListWalletSettingsQuery = Type.Object(listQuery(), { additionalProperties: false });
export const WalletParams = Type.Object({ childWalletId: Uuid('The wallet of a store or subaccount.') });

export const WalletSettingsBody = Type.Object(
  {
    settled: Type.Optional(
      Type.Boolean({ description: 'False: what is collected stays in the wallet. The first time true unless given.' }),
    ),
    keepInWallet: Type.Optional(AmountFromZero(words.keepInWallet)),
    pin: Pin(),
  },
  { additionalProperties: false },
);

const PauseSchema = Type.Object({
  merchantId: Uuid(),
  mode: Type.Enum(['SANDBOX', 'LIVE']),
  reason: Type.String({ description: 'What stands, or stood, against it; for programs.' }),
  words: Type.String(),
  at: DateTime(),
});

export const merchantSettlementEvents: EventTypes = {
  'merchant_settlement.processing': {
    summary: 'What was collected is on its way to the merchant’s bank, for the first time or again after it failed.',
    data: SettlementSchema,
  },
  'merchant_settlement.paid': { summary: 'The merchant’s bank has a settlement.', data: SettlementSchema },
  'merchant_settlement.failed': {
    summary: 'A settlement failed, or the bank returned it: the money is in the wallet, and it is tried again.',
    data: SettlementSchema,
  },
  'merchant_settlement.paused': {
    summary: 'Nothing is settled to the merchant’s bank until what `reason` names is over.',
    data: PauseSchema,
  },
  'merchant_settlement.resumed': { summary: 'Settlements to the merchant’s bank go on.', data: PauseSchema },
  'wallet_settlement_settings.updated': {
    summary: 'Whether a store or subaccount is settled to the merchant’s bank was changed, or how much stays in it.',
    data: WalletSettingsSchema,
  },
  'merchant_settlement_settings.updated': {
    summary: 'The settings of settlements to the merchant’s bank were changed.',
    data: SettingsSchema,
  },
};
