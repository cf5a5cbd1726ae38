import { type TSchema, Type } from 'typebox';
import {
  Amount,
  DateTime,
  type EventTypes,
  Metadata,
  Money,
  Named,
  Narration,
  Nullable,
  Pin,
  Uuid,
} from '../platform/http/schemas.ts';
import { ChildName, childWalletFields } from '../wallets/index.ts';

export const CreateSubaccountBody = Type.Object({ name: ChildName('Ada Obi') }, { additionalProperties: false });

export const SubaccountParams = Type.Object({ subaccountId: Uuid('The subaccount.') });

export const SubaccountSchema = Named(
  'Subaccount',
  Type.Object({ subaccountId: Uuid(), name: Type.String(), ...childWalletFields }),
);

/** Sent as null by clients that write every field; the same as left out. */
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

const transfer = {
  amount: Amount(),
  narration: orNull(Narration()),
  metadata: orNull(Metadata()),
};

export const CreditSubaccountBody = Type.Object(
  { ...transfer, subaccountId: Uuid('The subaccount to credit.') },
  { additionalProperties: false },
);

export const DebitSubaccountBody = Type.Object(
  { pin: Pin(), ...transfer, subaccountId: Uuid('The subaccount to debit.') },
  { additionalProperties: false },
);

const transferFields = {
  accountName: Type.String({ description: 'Name of the account that was credited.' }),
  accountNumber: Type.String(),
  amount: Money('What was moved.'),
  charge: Money('Always 0: transfers within a merchant are free.'),
  destinationInstitutionCode: Type.String({ description: 'Bank code of the account that was credited.' }),
  merchantId: Uuid(),
  metadata: Metadata(),
  mode: Type.Enum(['SANDBOX', 'LIVE']),
  narration: Type.String(),
  paidAt: DateTime('With the offset of Lagos.'),
  senderAccountName: Type.String(),
  senderAccountNumber: Type.String(),
  senderBankName: Type.String(),
  settledAmount: Money('What the credited account received.'),
  status: Type.Literal('SUCCESS'),
  totalAmount: Money('Amount and charge.'),
  transactionId: Uuid(),
  transactionReference: Type.String(),
  walletId: Uuid('The merchant wallet.'),
};

export const SubaccountCreditSchema = Named(
  'SubaccountCredit',
  Type.Object({ category: Type.Literal('SUBACCOUNT'), ...transferFields }),
);

export const SubaccountDebitSchema = Named(
  'SubaccountDebit',
  Type.Object({
    category: Type.Literal('SUBACCOUNT_TO_MERCHANT'),
    ...transferFields,
  }),
);

export const subaccountEvents: EventTypes = {
  'subaccount.created': { summary: 'A subaccount was opened with a wallet of its own.', data: SubaccountSchema },
};
