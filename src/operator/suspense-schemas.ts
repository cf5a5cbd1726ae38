import { Type } from 'typebox';
import {
  AccountNumber,
  DateTime,
  Money,
  Named,
  Nullable,
  Uuid,
  VisibleLines,
  VisibleText,
} from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { CREDIT_ACTIONS, PAYMENT_ACTIONS, SUSPENSE_SOURCES } from '../suspense/index.ts';
import { BankOfNumber, Digest, ModeName, OneOf, Reason } from './schemas.ts';

const filter = {
  merchantId: Type.Optional(Uuid('Only payments in suspense of this merchant.')),
  mode: Type.Optional(ModeName()),
};

export const ListSuspenseQuery = Type.Object({ ...filter, ...listQuery() }, { additionalProperties: false });
export const SuspenseCsvQuery = Type.Object(filter, { additionalProperties: false });

export const ListReceivablesQuery = Type.Object(listQuery(), { additionalProperties: false });

const Rail = () =>
  Type.String({ minLength: 1, maxLength: 60, examples: ['monnify'], description: 'A provider account.' });
const CreditKey = () =>
  VisibleText({ minLength: 1, maxLength: 300, examples: ['id:MNFY|31|20261120'], description: 'As the queue has it.' });

const Wallet = Type.Object({
  walletId: Uuid(),
  merchantId: Uuid(),
  businessName: Nullable(Type.String()),
  accountNumber: Type.String(),
  accountName: Type.String(),
});

const Proposal = Type.Object({
  proposalId: Uuid(),
  action: OneOf(['ATTRIBUTE', 'RETURN', 'KEEP', 'DISMISS'] as const),
  wallet: Nullable(Wallet),
  source: OneOf(SUSPENSE_SOURCES, 'How it is known.'),
  note: Type.String({ description: 'What was seen, where, and who said it.' }),
  proposedBy: Type.Object({ personId: Uuid(), email: Nullable(Type.String()) }),
  proposedAt: DateTime(),
  isMine: Type.Boolean({ description: 'True: another person has to confirm it.' }),
  digest: Digest('SHA-256 over what is proposed: the person who confirms sends it back.'),
  isStale: Type.Boolean({ description: 'More became known since: it cannot be confirmed, and may be proposed anew.' }),
  isAltered: Type.Boolean({ description: 'It is not what was proposed: it cannot be confirmed.' }),
});

export const SuspenseSchema = Named(
  'MoneyInSuspense',
  Type.Object({
    kind: OneOf(
      ['PAYMENT', 'CREDIT'] as const,
      'PAYMENT: in a merchant’s suspense account. CREDIT: reported, and in no merchant’s books.',
    ),
    merchantId: Nullable(Uuid('Of a payment.')),
    businessName: Nullable(Type.String()),
    paymentId: Nullable(Uuid('Of a payment.')),
    walletId: Nullable(Uuid('To which a payment was paid.')),
    creditKey: Nullable(Type.String({ description: 'Of a credit: with the rail, by what it is named.' })),
    rail: Rail(),
    mode: ModeName(),
    status: OneOf(['SUSPENSE', 'PENDING_SETTLEMENT', 'UNCONFIRMED', 'NO_OWNER', 'CONTRADICTED'] as const),
    reason: Nullable(Type.String({ examples: ['MERCHANT_SUSPENDED'] })),
    amount: Nullable(Money('As the provider confirmed it, else as it was reported.')),
    isConfirmed: Type.Boolean({ description: 'False: the amount is only what was reported.' }),
    currency: Type.Literal('NGN'),
    accountNumber: Nullable(Type.String({ description: 'To which it was paid.' })),
    payer: Type.Object({
      name: Nullable(Type.String()),
      accountNumber: Nullable(Type.String()),
      bankName: Nullable(Type.String()),
    }),
    narration: Nullable(Type.String()),
    sessionId: Nullable(Type.String({ description: 'By which banks trace the transfer.' })),
    providerReference: Nullable(Type.String()),
    since: DateTime('Since when it waits.'),
    proposal: Nullable(Proposal),
  }),
);

export const ReceivableSchema = Named(
  'Receivable',
  Type.Object({
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    rail: Rail(),
    payments: Type.Integer({ minimum: 0 }),
    total: Money('What the provider account owes for this merchant: the payments less toDeduct.'),
    toDeduct: Money('Refunds and disputes that no settlement has deducted yet.'),
    underOneDay: Money('Of payments that were confirmed less than a day ago.'),
    oneToTwoDays: Money('Of one to two days.'),
    threeToSevenDays: Money('Of more than two, up to seven.'),
    older: Money('Of more than seven.'),
  }),
);

const evidence = {
  source: OneOf(SUSPENSE_SOURCES, 'How you know.'),
  note: VisibleLines({
    minLength: 10,
    maxLength: 1_000,
    examples: ['The bank wrote on 20 November whose transfer it is, letter 41.'],
    description: 'What you saw, where, and who said it; where it goes back, how and when.',
  }),
};

const ofPayment = { merchantId: Uuid(), mode: ModeName() };

export const ProposePaymentBody = Type.Object(
  {
    ...ofPayment,
    paymentId: Uuid(),
    action: OneOf(PAYMENT_ACTIONS, 'To a wallet of the merchant, back to the payer, or to your income.'),
    walletId: Type.Optional(Uuid('With ATTRIBUTE; without a wallet, the one that it was paid to.')),
    accountNumber: Type.Optional(AccountNumber('Of the wallet, in place of its id.')),
    bankCode: Type.Optional(BankOfNumber()),
    ...evidence,
  },
  { additionalProperties: false },
);

export const ProposeForCreditBody = Type.Object(
  {
    rail: Rail(),
    creditKey: CreditKey(),
    action: OneOf(CREDIT_ACTIONS, 'DISMISS is for what nobody confirmed or what was contradicted; the others are not.'),
    accountNumber: Type.Optional(AccountNumber('With ATTRIBUTE: of the wallet, of any merchant.')),
    bankCode: Type.Optional(BankOfNumber()),
    ...evidence,
  },
  { additionalProperties: false },
);

export const ProposedSuspenseSchema = Named(
  'ProposedSuspense',
  Type.Object({ proposalId: Uuid(), digest: Digest('What the other person confirms.') }),
);

const shown = { proposalId: Uuid(), digest: Digest('Of the proposal as it was shown: only that is confirmed.') };

export const ConfirmPaymentBody = Type.Object({ ...ofPayment, ...shown }, { additionalProperties: false });
export const ConfirmForCreditBody = Type.Object(shown, { additionalProperties: false });

export const ConfirmedPaymentSchema = Named(
  'ConfirmedPayment',
  Type.Object({ paymentId: Uuid(), status: OneOf(['CREDITED', 'PENDING_SETTLEMENT', 'RETURNED', 'KEPT'] as const) }),
);

export const ConfirmedCreditSchema = Named(
  'ConfirmedCredit',
  Type.Object({
    result: OneOf(
      ['CREDITED', 'PENDING', 'HELD', 'OPEN', 'RETURNED', 'DISMISSED'] as const,
      'HELD: it is the merchant’s, in suspense. OPEN: it is booked as soon as the provider answers.',
    ),
  }),
);

export const ClosePaymentBody = Type.Object(
  { ...ofPayment, proposalId: Uuid(), reason: Reason() },
  { additionalProperties: false },
);
export const CloseForCreditBody = Type.Object(
  { proposalId: Uuid(), reason: Reason() },
  { additionalProperties: false },
);

export const AskAgainBody = Type.Object({ rail: Rail(), creditKey: CreditKey() }, { additionalProperties: false });

export const AskedAgainSchema = Named(
  'AskedAgain',
  Type.Object({
    result: OneOf(
      ['CREDITED', 'PENDING', 'HELD', 'ALREADY_TAKEN', 'OPEN', 'TO_DECIDE', 'FAILED', 'NOT_ASKED'] as const,
      'What became of it. NOT_ASKED: it is ended, or the provider account does not open.',
    ),
  }),
);
