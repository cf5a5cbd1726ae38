import { Type } from 'typebox';
import { AccountNumber, BankCode, Named, Nullable } from '../platform/http/schemas.ts';
import { listQuery, MAX_SIZE } from '../platform/lists/schemas.ts';

/** A directory is read whole: one page holds every bank unless a smaller one is asked for. */
export const DEFAULT_DIRECTORY_SIZE = MAX_SIZE;

export const ListBanksQuery = Type.Object(
  {
    ...listQuery(DEFAULT_DIRECTORY_SIZE),
    search: Type.Optional(Type.String({ maxLength: 80, description: 'Part of a name or code.', examples: ['access'] })),
  },
  { additionalProperties: false },
);

export const BankSchema = Named(
  'Bank',
  Type.Object({
    code: Type.String({ description: 'What you send as bankCode.', examples: ['058'] }),
    name: Type.String({ examples: ['Guaranty Trust Bank'] }),
    shortName: Type.String({ examples: ['GTBank'] }),
    nipCode: Nullable(Type.String({ description: 'Its six digits on the interbank network, where known.' })),
    kind: Type.Enum(['COMMERCIAL', 'MERCHANT', 'MICROFINANCE', 'MOBILE_MONEY', 'PAYMENT_SERVICE']),
  }),
);

export const ResolveAccountBody = Type.Object(
  { bankCode: BankCode(), accountNumber: AccountNumber() },
  { additionalProperties: false },
);

export const ResolvedAccountSchema = Named(
  'ResolvedAccount',
  Type.Object({
    accountName: Type.String({ description: 'As the bank has it.' }),
    accountNumber: Type.String(),
    bankCode: Type.String(),
    bankName: Type.String(),
    warning: Nullable(Type.String({ description: 'A sentence when the number does not look like one of this bank.' })),
  }),
);

export const ScenarioHeader = Type.Object({
  'x-sandbox-scenario': Type.Optional(
    Type.String({ maxLength: 60, description: 'Sandbox only: how the sandbox bank shall behave.' }),
  ),
});
