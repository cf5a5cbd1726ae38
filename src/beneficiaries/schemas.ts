import { Type } from 'typebox';
import { AccountNumber, BankCode, DateTime, Named, Nullable, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { BENEFICIARY_STATUSES } from './beneficiary-state.ts';

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
    approvalId: Nullable(Uuid('What it waits for, or was approved by.')),
    createdAt: DateTime(),
  }),
);

export const BeneficiaryPage = ListPage(BeneficiarySchema);

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
