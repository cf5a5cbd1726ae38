import { Type } from 'typebox';
import { AccountNumber, DateTime, Named, Nullable, Uuid } from '../platform/http/schemas.ts';

export const ReceivingAccountSchema = Named(
  'ReceivingAccount',
  Type.Object({
    bankCode: Nullable(Type.String({ description: 'As in GET /bank; null where the provider does not say.' })),
    bankName: Type.String({ examples: ['Wema Bank'] }),
    accountNumber: AccountNumber(),
    accountName: Type.String({ description: 'As the bank of whoever pays will show it.' }),
  }),
);

export const VirtualAccountSchema = Named(
  'VirtualAccount',
  Type.Object({
    virtualAccountId: Uuid(),
    walletId: Uuid(),
    status: Type.Enum(['REQUESTED', 'OPEN', 'FAILED', 'CLOSED'], {
      description: 'REQUESTED: the provider is being asked. FAILED: it will not open it as it was asked.',
    }),
    reason: Nullable(Type.String({ description: 'Why it is not open; for programs.' })),
    message: Nullable(Type.String({ description: 'The same, for people.' })),
    accounts: Type.Array(ReceivingAccountSchema, { description: 'What a payer types. Empty unless it is open.' }),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    requestedAt: DateTime(),
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
