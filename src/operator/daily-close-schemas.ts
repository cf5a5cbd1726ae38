import { Type } from 'typebox';
import { CLOSE_TOTALS, type CloseTotal, JOURNAL_KINDS } from '../daily-close/index.ts';
import { DateTime, MoneySum, Named, Nullable, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { ModeName, OneOf, Reason } from './schemas.ts';

const Day = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    maxLength: 10,
    'x-hint': 'must be a day such as 2026-11-20',
    description,
    examples: ['2026-11-20'],
  });
const Digest = () =>
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    maxLength: 64,
    'x-hint': 'must be the digest as it was shown',
    description: 'SHA-256 of the figures, as they were shown.',
    examples: ['0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0'],
  });

export const ListClosesQuery = Type.Object(
  { mode: Type.Optional(ModeName()), ...listQuery() },
  { additionalProperties: false },
);
export const DayQuery = Type.Object(
  { mode: ModeName(), day: Type.Optional(Day('In Lagos; the last one that is over where it is left out.')) },
  { additionalProperties: false },
);
export const PeriodQuery = Type.Object(
  { mode: ModeName(), from: Day('In Lagos, the first.'), to: Day('In Lagos, the last.') },
  { additionalProperties: false },
);
export const CloseParams = Type.Object({ closeId: Uuid() });
export const DocumentQuery = Type.Object(
  {
    format: OneOf(
      ['PDF', 'CSV', 'JOURNAL_CSV', 'JOURNAL_LEDGER'] as const,
      'JOURNAL_CSV: a general journal. JOURNAL_LEDGER: plain-text accounting, for hledger and ledger.',
    ),
  },
  { additionalProperties: false },
);

const Signature = (description: string) => Type.Object({ by: Type.String(), at: DateTime() }, { description });

export const DailyCloseSchema = Named(
  'DailyClose',
  Type.Object({
    closeId: Uuid(),
    mode: ModeName(),
    day: Type.String({ examples: ['2026-11-20'] }),
    version: Type.Integer({ description: 'Of this day, from 1.' }),
    digest: Digest(),
    signed: Signature('Who signed it, and when.'),
    second: Nullable(Signature('Who signed it beside the first; null: nobody did.')),
    reopened: Nullable(
      Type.Object(
        { by: Type.String(), at: DateTime(), reason: Type.String() },
        { description: 'Why it counts no more; null: it does.' },
      ),
    ),
  }),
);

const totals = Object.fromEntries(CLOSE_TOTALS.map((name) => [name, MoneySum('Naira.')])) as Record<
  CloseTotal,
  ReturnType<typeof MoneySum>
>;

const flows = {
  rail: Type.String({ description: 'The provider account.' }),
  opening: MoneySum('What it owed at the beginning.'),
  confirmed: MoneySum('Payments in that it confirmed.'),
  returned: MoneySum('Payments that went back before they were settled.'),
  refunded: MoneySum('Refunds by it.'),
  disputed: MoneySum('Disputes lost.'),
  settled: MoneySum('What it settled, net.'),
  kept: MoneySum('What it kept as its fee.'),
  deducted: MoneySum('What it took from settlements for refunds and disputes: it owes that much more again.'),
  closing: MoneySum('What it owed at the end.'),
};

export const ShownDaySchema = Named(
  'ClosedDay',
  Type.Object({
    mode: ModeName(),
    day: Type.String({ examples: ['2026-11-20'] }),
    digest: Digest(),
    close: Nullable(DailyCloseSchema),
    versions: Type.Array(DailyCloseSchema, { description: 'All that were signed, the last one first.' }),
    totals: Type.Object(totals),
    kinds: Type.Array(
      Type.Object({
        kind: OneOf(JOURNAL_KINDS),
        opening: MoneySum('Credits less debits: what the operator owns is below zero.'),
        debits: MoneySum('Of the day.'),
        credits: MoneySum('Of the day.'),
        closing: MoneySum('As the opening.'),
      }),
    ),
    providers: Type.Array(Type.Object(flows)),
    postings: Type.Array(
      Type.Object({
        code: Type.String({ examples: ['COLLECTION'] }),
        debitKind: OneOf(JOURNAL_KINDS),
        creditKind: OneOf(JOURNAL_KINDS),
        rail: Nullable(Type.String({ description: 'The provider account, where one of the two is what it owes.' })),
        transfers: Type.Integer(),
        amount: MoneySum('Of all of them.'),
      }),
    ),
  }),
);

export const SignBody = Type.Object(
  { mode: ModeName(), day: Day('In Lagos.'), digest: Digest() },
  { additionalProperties: false },
);
export const SecondBody = Type.Object({ digest: Digest() }, { additionalProperties: false });
export const ReopenBody = Type.Object({ reason: Reason() }, { additionalProperties: false });
export const SignedSchema = Type.Object({ closeId: Uuid() });

export const ReceivablesSchema = Type.Object({
  receivables: Type.Array(
    Named(
      'ReceivableStatement',
      Type.Object({
        ...flows,
        unsettled: MoneySum(
          'Payments that nothing has settled, less refunds and disputes that no settlement has deducted, now.',
        ),
        unsettledPayments: Type.Integer(),
        oldestAt: Nullable(DateTime('Since when the oldest of them waits.')),
        differences: Type.Array(
          Type.Object({
            result: Type.String({ examples: ['MISSING_THERE'] }),
            lines: Type.Integer(),
            amount: MoneySum('What the lines say.'),
          }),
          { description: 'Lines of settlements that differ and that nobody has looked into, by what differs.' },
        ),
      }),
    ),
  ),
});

export const MarginsSchema = Type.Object({
  margins: Type.Array(
    Named(
      'ProviderMargin',
      Type.Object({
        day: Type.String({ description: 'On which they were settled.', examples: ['2026-11-20'] }),
        rail: Type.String({ description: 'The provider account.' }),
        channel: OneOf(['ACCOUNT', 'PAGE'] as const, 'ACCOUNT: to an account number. PAGE: anything else.'),
        payments: Type.Integer(),
        gross: MoneySum('What payers had sent.'),
        quoted: MoneySum('What the provider said at the confirmation that it keeps, where it said so.'),
        keptOfQuoted: MoneySum('What it kept of the same payments.'),
        kept: MoneySum('What it kept of all.'),
        differing: Type.Integer({ description: 'Payments of which it kept another fee than it had said.' }),
        fee: MoneySum('What we charged, without VAT.'),
        margin: MoneySum('Fee less kept.'),
      }),
    ),
  ),
});

const JournalAccountSchema = Named(
  'JournalAccount',
  Type.Object({
    kind: OneOf(JOURNAL_KINDS),
    rail: Type.String({ description: 'A provider account, for what it owes; empty: all of the kind.' }),
    code: Type.String({ examples: ['1200'] }),
    name: Type.String({ examples: ['Assets:Receivable from providers'] }),
    isSet: Type.Boolean({ description: 'False: a name of ours.' }),
  }),
);
export const JournalAccountsSchema = Type.Object({ accounts: Type.Array(JournalAccountSchema) });
export const JournalAccountBody = Type.Object(
  {
    kind: OneOf(JOURNAL_KINDS),
    rail: Type.Optional(Type.String({ maxLength: 40, examples: ['paystack-live'] })),
    code: Type.String({ maxLength: 40, examples: ['1200'] }),
    name: VisibleText({ maxLength: 100, examples: ['Assets:Receivable from providers'] }),
  },
  { additionalProperties: false },
);
