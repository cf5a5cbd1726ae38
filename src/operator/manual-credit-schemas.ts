import { Type } from 'typebox';
import {
  AccountNumber,
  Amount,
  DateTime,
  Money,
  Named,
  Nullable,
  Uuid,
  VisibleLines,
  VisibleText,
} from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { BankOfNumber, Digest, ModeName, OneOf, Reason } from './schemas.ts';

export const ListCreditsQuery = Type.Object(
  {
    state: Type.Optional(
      OneOf(['WAITING', 'DECIDED'] as const, 'WAITING, as without it: for a second person, longest first.'),
    ),
    ...listQuery(),
  },
  { additionalProperties: false },
);

const Day = (description: string) =>
  Type.String({
    pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
    'x-hint': 'must be a day such as 2026-11-20',
    description,
    examples: ['2026-11-20'],
  });

const Person = (description: string) =>
  Type.Object({ personId: Uuid(), email: Nullable(Type.String()) }, { description });

const creditFields = {
  manualCreditId: Uuid(),
  merchantId: Uuid(),
  businessName: Nullable(Type.String()),
  mode: ModeName(),
  status: OneOf(['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const),
  walletId: Uuid(),
  walletAccountNumber: Type.String(),
  walletAccountName: Type.String(),
  amount: Money('What is credited.'),
  currency: Type.Literal('NGN'),
  bankCode: Type.String({ description: 'The bank of the operator at which the money arrived.', examples: ['058'] }),
  bankName: Type.String(),
  bankReference: Type.String({ description: 'The bank’s own, as it is on the statement.' }),
  receivedOn: Day('The day in Lagos on which the bank has it.'),
  payerName: Type.String(),
  note: Type.String({ description: 'What was seen, and where.' }),
  document: Type.Object({
    fileName: Type.String(),
    contentType: Type.String({ examples: ['application/pdf'] }),
    bytes: Type.Integer(),
  }),
  proposedBy: Person('Who proposed it.'),
  proposedAt: DateTime(),
  isMine: Type.Boolean({ description: 'True: another person has to decide it.' }),
  decidedBy: Nullable(Person('Who approved, rejected or withdrew it.')),
  decidedAt: Nullable(DateTime()),
  reason: Nullable(Type.String({ description: 'Why it was rejected or withdrawn.' })),
  transactionId: Nullable(Uuid('The transaction that it became; null where it was not approved.')),
};

export const ManualCreditSchema = Named('ManualCredit', Type.Object(creditFields));

const Noticed = Type.Object({
  code: OneOf(['SAME_AMOUNT_SAME_DAY', 'SAME_REFERENCE', 'SAME_DOCUMENT', 'MERCHANT_SUSPENDED'] as const),
  field: Nullable(Type.String()),
  params: Type.Record(Type.String(), Type.String()),
  message: Type.String(),
});

const Problems = () => Type.Array(Noticed, { description: 'What was noticed. It keeps nobody from approving.' });

export const CreditEvidenceSchema = Named(
  'ManualCreditEvidence',
  Type.Object({
    ...creditFields,
    digest: Digest('SHA-256 over all that is proposed: the person who approves sends it back.'),
    problems: Problems(),
    isAltered: Type.Boolean({ description: 'It is not what was proposed: it cannot be approved.' }),
  }),
);

export const CreditParams = Type.Object({ merchantId: Uuid(), manualCreditId: Uuid() });

export const ModeQuery = Type.Object({ mode: ModeName() }, { additionalProperties: false });

export const ProposeCreditForm = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      description: 'What proves it, such as a page of the statement: a PDF, PNG or JPEG of at most 5 MB.',
    }),
    walletId: Uuid('The merchant’s own, or that of a store or subaccount.'),
    amount: Amount('Naira, at most two decimals.'),
    bankCode: VisibleText({ maxLength: 20, examples: ['058'], description: 'Where the money arrived.' }),
    bankReference: VisibleText({
      maxLength: 60,
      description: 'The bank’s own. Neither capitals nor spaces tell two of them apart.',
    }),
    receivedOn: Day('A day in Lagos that has begun.'),
    payerName: VisibleText({ maxLength: 100 }),
    note: VisibleLines({ minLength: 10, maxLength: 1_000, description: 'What you saw, and where.' }),
  },
  { additionalProperties: false },
);

export const ProposedCreditSchema = Named(
  'ProposedManualCredit',
  Type.Object({ manualCreditId: Uuid(), digest: Digest('What the other person approves.'), problems: Problems() }),
);

const ofCredit = { merchantId: Uuid(), mode: ModeName(), manualCreditId: Uuid() };

export const ApproveCreditBody = Type.Object(
  { ...ofCredit, digest: Digest('Of the credit as it was shown: only that is approved.') },
  { additionalProperties: false },
);

export const ApprovedCreditSchema = Named(
  'ApprovedManualCredit',
  Type.Object({ manualCreditId: Uuid(), transactionId: Uuid() }),
);

export const CloseCreditBody = Type.Object({ ...ofCredit, reason: Reason() }, { additionalProperties: false });

export const AccountParams = Type.Object({
  accountNumber: AccountNumber(),
});

export const WalletToCreditQuery = Type.Object(
  { mode: ModeName(), bankCode: Type.Optional(BankOfNumber()) },
  { additionalProperties: false },
);

export const WalletToCreditSchema = Named(
  'WalletToCredit',
  Type.Object({
    walletId: Uuid(),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    accountNumber: Type.String(),
    accountName: Type.String(),
  }),
);

export const BanksSchema = Type.Object({
  banks: Type.Array(Type.Object({ code: Type.String({ examples: ['058'] }), name: Type.String() })),
});
