import { Type } from 'typebox';
import { AccountNumber, DateTime, type EventTypes, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';

const ReceivingAccountSchema = Named(
  'ReceivingAccount',
  Type.Object({
    bankCode: Nullable(Type.String({ description: 'As in GET /bank; null where the provider does not say.' })),
    bankName: Type.String({ examples: ['Wema Bank'] }),
    accountNumber: AccountNumber(),
    accountName: Type.String({ description: 'As the payer’s bank will show it.' }),
  }),
);

const STATUSES = ['REQUESTED', 'OPEN', 'FAILED', 'CLOSED'] as const;

export const VirtualAccountSchema = Named(
  'VirtualAccount',
  Type.Object({
    virtualAccountId: Uuid(),
    walletId: Uuid('To which payments go.'),
    customerId: Nullable(Uuid('Whose it is: payments to it name this customer. Null: the wallet’s own.')),
    customerName: Nullable(Type.String({ description: 'As the customer was called when it was asked for.' })),
    status: Type.Enum([...STATUSES], {
      description:
        'REQUESTED: the provider is being asked. FAILED: it will not open it as it was asked. CLOSED: what is paid to it ' +
        'goes to no wallet by itself.',
    }),
    conclusive: Type.Boolean({
      description:
        'May you act on this status as final? True once it is FAILED or CLOSED. False of an OPEN one too: that of a customer may be closed, and what is paid to it then goes to no wallet by itself.',
    }),
    reason: Nullable(
      Type.String({ description: 'Why it is not open, or not closed at the provider yet; for programs.' }),
    ),
    message: Nullable(Type.String({ description: 'The same, for people.' })),
    accounts: Type.Array(ReceivingAccountSchema, {
      description: 'What a payer types. Empty until it is open; of a closed one, what it had.',
    }),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    requestedAt: DateTime(),
    closedAt: Nullable(DateTime()),
    updatedAt: DateTime(),
  }),
);

/** What a wallet can be paid by now, and what is still being opened. */
export const WalletAccountsSchema = Named(
  'WalletAccounts',
  Type.Object({
    walletId: Uuid(),
    accounts: Type.Array(ReceivingAccountSchema, { description: 'Anybody can pay to these now.' }),
    requests: Type.Array(VirtualAccountSchema, { description: 'Accounts at providers, those in use first.' }),
  }),
);

export const VirtualAccountPage = ListPage(VirtualAccountSchema);

export const VirtualAccountParams = Type.Object({ virtualAccountId: Uuid('The account.') });

export const ListAccountsQuery = Type.Object(
  {
    ...listQuery(),
    status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only those in this state.' })),
    walletId: Type.Optional(Uuid('Only those whose payments go to this wallet.')),
    customerId: Type.Optional(Uuid('Only those of this customer.')),
  },
  { additionalProperties: false },
);

const ElevenDigits = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^\\d{11}$', description, examples: ['22212345901'], 'x-hint': 'must be 11 digits' }),
  );

export const RequestAccountBody = Type.Object(
  {
    walletId: Type.Optional(Uuid('Any wallet of yours: main, store or subaccount. The main wallet unless given.')),
    customerId: Type.Optional(Uuid('One of your customers, whose own account it becomes.')),
    bvn: ElevenDigits(
      'Of the customer, where the provider needs it. It is passed on, kept sealed, and shown to nobody.',
    ),
    nin: ElevenDigits('The same; some providers take it in place of a BVN.'),
  },
  { additionalProperties: false },
);

export const virtualAccountEvents: EventTypes = {
  'virtual_account.requested': {
    summary: 'Somebody asked for an account number of a customer, or again for one of a wallet.',
    data: VirtualAccountSchema,
  },
  'virtual_account.opened': {
    summary: 'A wallet or a customer has an account number at a bank: anybody can pay to it.',
    data: VirtualAccountSchema,
  },
  'virtual_account.failed': {
    summary: 'A provider would not open an account number; `reason` and `message` say why.',
    data: VirtualAccountSchema,
  },
  'virtual_account.closed': {
    summary: 'The account number of a customer was closed: what is paid to it from now on goes to no wallet by itself.',
    data: VirtualAccountSchema,
  },
};
