import { Type } from 'typebox';
import {
  AccountNumber,
  Amount,
  DateTime,
  type EventTypes,
  Money,
  Named,
  Narration,
  Nullable,
  Uuid,
  VisibleText,
} from '../platform/http/schemas.ts';
import { PAYER_SCENARIO_NAMES, SETTLEMENT_SCENARIO_NAMES } from '../rails/index.ts';
import { TransactionSchema } from '../transactions/index.ts';

/** A year: longer than any schedule may lie ahead. */
const MAX_SECONDS = 31_536_000;
/** One request is one commit: enough to see many payers at once. */
const MAX_TIMES = 100;

export const FundWalletBody = Type.Object(
  { walletId: Uuid('Any wallet of yours: main, store or subaccount.'), amount: Amount() },
  { additionalProperties: false },
);

export const FundingSchema = Named(
  'Funding',
  Type.Interface([TransactionSchema], { category: Type.Literal('WALLET_FUNDING') }),
);

export const AdvanceClockBody = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 1,
      maximum: MAX_SECONDS,
      examples: [3600],
      'x-hint': `must be from 1 to ${MAX_SECONDS}`,
    }),
  },
  { additionalProperties: false },
);

export const AdvanceSchema = Named(
  'Advance',
  Type.Object({
    seconds: Type.Integer(),
    advancedAt: DateTime('When it was done; records keep real times.'),
  }),
);

const PayerScenarioSchema = Named(
  'PayerScenario',
  Type.Enum([...PAYER_SCENARIO_NAMES], {
    description: 'What becomes of the money and its webhook, see the sandbox page. Default: `paid`.',
    examples: ['notified_late'],
  }),
);

const PayerName = () => VisibleText({ minLength: 1, maxLength: 100, examples: ['ADAEZE OBI'] });

/** An account number, or the reference of a page of the sandbox. */
const PaidTo = () =>
  Type.String({
    pattern: '^(\\d{10}|[0-9a-f]{32})$',
    examples: ['0123456785'],
    'x-hint': 'must be 10 digits, or the id of a payment session without hyphens',
    description:
      'NUBAN, 10 digits. To pay on the page of a payment session, which has no number: the id of the session without its hyphens.',
    'x-log': 'LAST4',
  });

export const PayAccountBody = Type.Object(
  {
    accountNumber: PaidTo(),
    channel: Type.Optional(
      Type.Enum(['BANK_TRANSFER', 'CARD'], {
        description: 'How. By CARD only on the page of a payment session. Default: by transfer.',
      }),
    ),
    amount: Amount(),
    payer: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(PayerName()),
          accountNumber: Type.Optional(AccountNumber()),
          bankName: Type.Optional(VisibleText({ minLength: 1, maxLength: 100, examples: ['Zenith Bank'] })),
        },
        { additionalProperties: false, description: 'Who pays; what is left out is made up.' },
      ),
    ),
    narration: Type.Optional(Narration()),
    scenario: Type.Optional(PayerScenarioSchema),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TIMES,
        examples: [1],
        description: 'So many transfers of this amount. Default: one.',
        'x-hint': `must be from 1 to ${MAX_TIMES}`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const SandboxPaymentSchema = Named(
  'SandboxPayment',
  Type.Object({
    credits: Type.Array(
      Named(
        'SandboxCredit',
        Type.Object({
          id: Type.String({ description: 'The bank’s id of the transfer.' }),
          sessionId: Type.String({ description: 'Of the interbank network, 30 digits.' }),
          accountNumber: Type.String({ description: 'To which it was paid; on a page, its reference.' }),
          channel: Type.Enum(['BANK_TRANSFER', 'CARD'], { description: 'How it was paid.' }),
          amount: Money('What was paid.'),
          currency: Type.String(),
          scenario: PayerScenarioSchema,
          payer: Type.Object({ name: Type.String(), accountNumber: Type.String(), bankName: Type.String() }),
          narration: Nullable(Type.String()),
          paidAt: DateTime('By the bank’s clock.'),
        }),
      ),
    ),
  }),
);

const SettlementScenario = () =>
  Type.Enum([...SETTLEMENT_SCENARIO_NAMES], {
    description: 'What is wrong with it, see the sandbox page. Default: `whole`, nothing.',
    examples: ['fee_differs'],
  });

export const SettleAtBankBody = Type.Object(
  { scenario: Type.Optional(SettlementScenario()) },
  { additionalProperties: false },
);

export const SandboxSettlementSchema = Named(
  'SandboxSettlement',
  Type.Object({
    reference: Type.String({ description: 'The bank’s own, by which the operator finds it.' }),
    scenario: SettlementScenario(),
    settledOn: Type.String({ format: 'date', description: 'The day in Lagos.' }),
    amount: Money('What the bank pays out.'),
    currency: Type.Literal('NGN'),
    lines: Type.Array(
      Type.Object({
        kind: Type.Enum(['PAYMENT', 'REFUND', 'DISPUTE', 'OTHER'], {
          description: 'A payment in; or what it took for a refund or a dispute.',
        }),
        id: Nullable(Type.String({ description: 'The bank’s id of the payment, refund or dispute.' })),
        gross: Money('Below zero where it is taken.'),
        fee: Money('What the bank keeps of it.'),
        net: Money('Gross less fee.'),
      }),
      { description: 'As the bank shows them to the operator.' },
    ),
    madeAt: DateTime('By the bank’s clock.'),
  }),
);

export const sandboxEvents: EventTypes = {
  'sandbox.settlement_made': {
    summary: 'The sandbox bank settled what was paid at it; people of the operator apply it.',
    data: SandboxSettlementSchema,
  },
  'sandbox.account_paid': {
    summary: 'A simulated payer paid to an account number of a sandbox wallet.',
    data: SandboxPaymentSchema,
  },
  'sandbox.clock_advanced': { summary: 'Sandbox time was moved forward.', data: AdvanceSchema },
};
