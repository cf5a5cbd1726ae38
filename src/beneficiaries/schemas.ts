import { Type } from 'typebox';
import {
  AccountNumber,
  BankCode,
  DateTime,
  type EventTypes,
  MoneySum,
  Named,
  Nullable,
  Uuid,
  VisibleText,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { BENEFICIARY_STATUSES } from './queries.ts';

export const BeneficiarySchema = Named(
  'Beneficiary',
  Type.Object({
    beneficiaryId: Uuid(),
    nickname: Nullable(Type.String()),
    bankCode: Type.String(),
    bankName: Type.String(),
    accountNumber: Type.String(),
    accountName: Type.String({ description: 'As the bank had it when the account was added.' }),
    status: Type.Enum([...BENEFICIARY_STATUSES], { description: 'See the states page.' }),
    conclusive: Type.Boolean({
      description:
        'May you act on this status as final? True once it is REMOVED. False of an ACTIVE one too: anybody who may pay can remove it at any time, so read it before you rely on it.',
    }),
    approvalId: Nullable(Uuid('What it waits for, or was approved by.')),
    createdAt: DateTime(),
  }),
);

const lastPaidAt = (description: string) => Nullable(DateTime(description));

/** One in the list. */
const ListedBeneficiarySchema = Named(
  'ListedBeneficiary',
  Type.Object({
    ...BeneficiarySchema.properties,
    lastPaidAt: lastPaidAt('When the account was paid last; null where none of the newest 50 payouts to it is paid.'),
  }),
);

/** One by itself, with what was paid to its account. */
export const BeneficiaryDetailSchema = Named(
  'BeneficiaryDetail',
  Type.Object({
    ...BeneficiarySchema.properties,
    paidPayouts: Type.Integer({
      description:
        'Payouts to this account that are SUCCESS, however they were made; what the bank returned is not in it.',
    }),
    totalPaid: MoneySum('What these come to.'),
    totalIsExact: Type.Boolean({
      description: 'False beyond 10,000 payouts to the account: then both are of the newest 10,000 of them.',
    }),
    lastPaidAt: lastPaidAt('When the account was paid last.'),
  }),
);

export const BeneficiaryPage = ListPage(ListedBeneficiarySchema);

export const BeneficiaryPayoutsQuery = Type.Object(listQuery(), { additionalProperties: false });

export const BeneficiaryParams = Type.Object({ beneficiaryId: Uuid('The saved account.') });

export const ListBeneficiariesQuery = Type.Object(
  {
    ...listQuery(),
    search: Type.Optional(Type.String({ maxLength: 80, description: 'Part of a name, a bank or an account number.' })),
  },
  { additionalProperties: false },
);

export const AddBeneficiaryBody = Type.Object(
  {
    bankCode: BankCode(),
    accountNumber: AccountNumber(),
    nickname: Type.Optional(
      VisibleText({
        minLength: 1,
        maxLength: 60,
        description: 'What you call it.',
        examples: ['Landlord'],
      }),
    ),
  },
  { additionalProperties: false },
);

const beneficiary = (summary: string) => ({ summary, data: BeneficiarySchema });

export const beneficiaryEvents: EventTypes = {
  'beneficiary.pending_approval': beneficiary('A beneficiary was added and waits for approval.'),
  'beneficiary.added': beneficiary('A beneficiary was added, or approved.'),
  'beneficiary.removed': beneficiary('A beneficiary was removed, or not approved.'),
};
