import { Type } from 'typebox';
import { Day, PeriodQuery } from '../platform/http/period.ts';
import { DateTime, Money, MoneySum, Named, Nullable, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';

const bankAccount = {
  bankCode: Type.String({
    description: 'Empty, as bankName and accountNumber are, where nobody has opened an account number for the wallet.',
  }),
  bankName: Type.String(),
  accountName: Type.String(),
  accountNumber: Type.String(),
};

/** The name of a new store or subaccount. */
export const ChildName = (example: string) =>
  VisibleText({
    minLength: 1,
    maxLength: 80,
    pattern: '\\S',
    'x-hint': 'must be 1 to 80 characters',
    examples: [example],
  });

/** The fields of a store's or subaccount's wallet; the kind puts its own id and name before them. */
export const childWalletFields = {
  walletId: Uuid(),
  ...bankAccount,
  bookedBalance: Money('Posted.'),
  availableBalance: Money('Booked less what is held.'),
  mode: Type.Enum(['SANDBOX', 'LIVE']),
  createdAt: DateTime(),
};

/** The body of `GET /wallet/merchant`: it has no message. */
export const MerchantWalletAnswer = Type.Object({
  status: Type.Literal(true),
  data: Type.Object({
    wallet: Type.Object({
      id: Uuid(),
      ...bankAccount,
      bookedBalance: Money('Posted.'),
      availableBalance: Money('Booked less what is held.'),
      createdAt: DateTime(),
      totalChildAccounts: Type.Integer({ description: 'Subaccounts.' }),
      totalChildAccountBalance: MoneySum('Booked in all subaccounts.'),
      totalBalance: MoneySum('Booked in the wallet and in all subaccounts.'),
    }),
  }),
});

/** The refusal of `GET /wallet/merchant` to a merchant that is not approved: without a code. */
export const NotApprovedAnswer = Type.Object({
  message: Type.String({ examples: ['Your account must be approved before you can perform this action'] }),
  status: Type.Literal(false),
});

export const WalletParams = Type.Object({ walletId: Uuid('Any wallet of yours: main, store or subaccount.') });

export const StatementQuery = Type.Object(
  {
    ...PeriodQuery,
    ...listQuery(),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], { description: 'csv streams the whole period, oldest first, and takes no pages.' }),
    ),
  },
  { additionalProperties: false },
);

const StatementEntrySchema = Named(
  'StatementEntry',
  Type.Object({
    transactionId: Uuid(),
    reference: Type.String(),
    type: Type.Enum(['DEBIT', 'CREDIT']),
    amount: Money(''),
    balanceAfter: Money('Booked balance right after this entry.'),
    code: Type.String({ description: 'What moved, for example STORE_DEBIT or PAYOUT_FEE.' }),
    currency: Type.Literal('NGN'),
    narration: Type.String(),
    createdAt: DateTime(),
    beneficiaryAccountName: Nullable(
      Type.String({ description: 'Whom a payout pays, also beside its charges; else null.' }),
    ),
    beneficiaryAccountNumber: Nullable(Type.String()),
    beneficiaryBankName: Nullable(Type.String()),
    batchReference: Nullable(Type.String({ description: 'Of the bulk payout that it is a row of.' })),
  }),
);

/** Opening balance, credits less debits and closing balance add up, and a period closes as the next one opens. */
export const StatementPage = Named(
  'StatementPage',
  Type.Interface(
    [ListPage(StatementEntrySchema)],
    {
      openingBalance: Money('Booked before the first entry of the period.'),
      closingBalance: Money('Booked after its last entry.'),
      totalCredits: MoneySum('What came in. Null by cursor.'),
      totalDebits: MoneySum('What went out. Null by cursor.'),
    },
    { 'x-extends': 'ListPageInfo' },
  ),
);

export const SummaryQuery = Type.Object(
  {
    from: Type.Optional(Day('A day in Lagos, 2000-01-01 or later; 29 days before `to` by default.', '2026-11-01')),
    to: Type.Optional(Day('A day in Lagos, included; today by default and at most.', '2026-11-30')),
    walletId: Type.Optional(Uuid('Any wallet of yours: main, store or subaccount. All of them together by default.')),
  },
  { additionalProperties: false },
);

const movedFields = {
  moneyIn: MoneySum('What came in.'),
  moneyOut: MoneySum('What went out, fees included.'),
  fees: MoneySum('Fees, VAT and stamp duty, which are part of what went out.'),
  feesReturned: MoneySum('Fees that came back with a payout, which are part of what came in.'),
  closingBalance: Money('Booked at the end, or now.'),
};

const DaySummary = Named('DaySummary', Type.Object({ day: Type.String({ examples: ['2026-11-20'] }), ...movedFields }));

const summaryFields = {
  from: Type.String({ examples: ['2026-11-01'] }),
  to: Type.String({ examples: ['2026-11-30'] }),
  openingBalance: Money('Booked before the first day.'),
  ...movedFields,
  days: Type.Array(DaySummary, { description: 'Every day of the period, oldest first.' }),
};

/** Opening balance, what came in less what went out, and closing balance add up, of each day and of the period. */
export const WalletSummary = Named(
  'WalletSummary',
  Type.Object({
    walletId: Nullable(Uuid('Null: all wallets together.')),
    currency: Type.Literal('NGN'),
    ...summaryFields,
    previous: Named('PreviousPeriod', Type.Object(summaryFields, { description: 'As many days, just before `from`.' })),
  }),
);
