import { type Static, Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import {
  Amount,
  DateTime,
  type EventTypes,
  Money,
  MoneySum,
  Named,
  Nullable,
  Pin,
  SomeOf,
  Uuid,
  VisibleText,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { ColumnsText } from '../platform/spreadsheet/write-csv.ts';
import { DISPUTE_SCENARIO_NAMES } from '../rails/index.ts';
import { EVIDENCE_FIELDS, MAX_FILES } from './evidence-files.ts';
import { DISPUTE_CATEGORIES, DISPUTE_STATUSES } from './queries.ts';
import { DISPUTE_COLUMNS } from './views.ts';

const AnswerAction = Type.Enum(['ACCEPT', 'CONTEST'], {
  description: 'ACCEPT: the payer gets it. CONTEST: with evidence.',
});
const AnswerStatus = Type.Enum(['QUEUED', 'SENT', 'REFUSED'], {
  description:
    'QUEUED: it is being sent. SENT: the provider has it. REFUSED: the provider did not take it, or it came too late; while ' +
    'the dispute is open there may be another.',
});

const DisputeSchema = Named(
  'Dispute',
  Type.Object({
    disputeId: Uuid('Of the transaction too, by which money was taken.'),
    paymentId: Uuid('The payment that is disputed.'),
    status: Type.Enum([...DISPUTE_STATUSES], {
      description:
        'OPEN: it can be answered until `dueAt`. EVIDENCE_SENT: the provider has your evidence, and the payer’s bank decides. WON: ' +
        'nothing is taken. LOST: the amount is taken. ACCEPTED: the same, by your own answer.',
    }),
    conclusive: Type.Boolean({
      description: 'May you act on this status as final? One that was won may still be lost.',
    }),
    reason: Nullable(
      Type.String({ description: 'Why it was lost, for programs.', examples: ['NOT_ANSWERED_IN_TIME'] }),
    ),
    category: Type.Enum([...DISPUTE_CATEGORIES], {
      description:
        'CHARGEBACK: the payer’s bank demands it. FRAUD: the payer says that it was somebody else. GENERAL: any other.',
    }),
    message: Nullable(Type.String({ description: 'What the payer says.' })),
    amount: Money('What is wanted back.'),
    disputed: Money('What of it may be taken: never more than of the payment is neither refunded nor taken already.'),
    held: Money('What of that is held in the wallet; zero once it has ended.'),
    taken: Money('What was taken from the wallet.'),
    loss: Money('What the wallet did not have when it ended.'),
    owed: Money('What of that is still owed: later money pays it.'),
    currency: Type.Literal('NGN'),
    walletId: Nullable(Uuid('The wallet that has the payment; null while none has.')),
    answer: Nullable(AnswerAction),
    answerStatus: Nullable(AnswerStatus),
    answerReason: Nullable(
      Type.String({ description: 'Why the answer was not taken, for programs.', examples: ['DISPUTE_ENDED_BEFORE'] }),
    ),
    providerDisputeId: Type.String({ description: 'Its number at the provider.', examples: ['358950'] }),
    version: Type.Integer({ description: 'One more with every change.' }),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    dueAt: Nullable(DateTime('Until when it can be answered; null: the provider does not say.')),
    openedAt: DateTime('When we learned of it.'),
    updatedAt: DateTime(),
    endedAt: Nullable(DateTime()),
  }),
);

export const DisputePage = ListPage(DisputeSchema);

export const DisputeDetailSchema = Named(
  'DisputeDetail',
  Type.Object({
    dispute: DisputeSchema,
    takes: Nullable(
      Type.Object(
        {
          files: Type.Integer({ description: 'How many files; zero: words alone.' }),
          needs: Type.Array(Type.Enum(['CUSTOMER', 'SERVICE_DETAILS']), {
            description: 'CUSTOMER: name, e-mail and phone of the customer. SERVICE_DETAILS: what was sold.',
          }),
        },
        { description: 'What the provider takes as evidence; null: it takes no answers from here.' },
      ),
    ),
    reports: Type.Array(
      Type.Object({
        source: Type.Enum(['WEBHOOK', 'POLL', 'CHECK', 'OPERATOR'], {
          description: 'What made us ask the provider; OPERATOR: two of its people say so.',
        }),
        state: Type.String({ examples: ['OPEN'] }),
        code: Nullable(Type.String({ description: 'The provider’s own code.' })),
        receivedAt: DateTime(),
      }),
      { description: 'What the provider said, each time that it changed something.' },
    ),
    answers: Type.Array(
      Type.Object({
        answerId: Uuid(),
        action: AnswerAction,
        status: AnswerStatus,
        reason: Nullable(Type.String()),
        message: Nullable(Type.String({ description: 'Why the payment is yours.' })),
        files: Type.Array(
          Type.Object({
            fileId: Uuid(),
            fileName: Type.String(),
            contentType: Type.String(),
            sizeBytes: Type.Integer(),
          }),
        ),
        madeBy: Type.String({ description: 'A person or a key.' }),
        madeAt: DateTime(),
        endedAt: Nullable(DateTime()),
      }),
    ),
    repayments: Type.Array(
      Type.Object({ transactionId: Uuid(), walletId: Uuid(), amount: Money('What was paid.'), paidAt: DateTime() }),
      { description: 'What later money paid of what is owed.' },
    ),
  }),
);

/** What a merchant owes. */
export const OwedSchema = Named(
  'OwedAfterDisputes',
  Type.Object({
    owed: MoneySum('What disputes lost beyond the wallets and later money has not paid yet.'),
    disputes: Type.Integer({ description: 'Of how many disputes.' }),
    currency: Type.Literal('NGN'),
  }),
);

const filter = {
  ...PeriodQuery,
  status: Type.Optional(SomeOf(DISPUTE_STATUSES, 'Only those in one of these states.', ['OPEN', 'EVIDENCE_SENT'])),
  paymentId: Type.Optional(Uuid('Only those of this payment.')),
};

export const ListDisputesQuery = Type.Object({ ...listQuery(), ...filter }, { additionalProperties: false });
export const DisputeCsvQuery = Type.Object(
  { ...filter, columns: Type.Optional(ColumnsText(DISPUTE_COLUMNS)) },
  { additionalProperties: false },
);
const FilterQuery = Type.Object(filter);
export type DisputeFilterQuery = Static<typeof FilterQuery>;

export const DisputeParams = Type.Object({ disputeId: Uuid('The dispute.') });
export const DisputeFileParams = Type.Object({ disputeId: Uuid('The dispute.'), fileId: Uuid('The file.') });

export const AcceptDisputeBody = Type.Object({ pin: Pin() }, { additionalProperties: false });

const word = (field: keyof typeof EVIDENCE_FIELDS, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: EVIDENCE_FIELDS[field], description, examples: [example] }));

export const EvidenceForm = Named(
  'DisputeEvidenceForm',
  Type.Object(
    {
      message: Type.String({
        minLength: 1,
        maxLength: EVIDENCE_FIELDS.message,
        description: 'Why the payment is yours.',
        examples: ['The goods were delivered on 20 November and signed for.'],
      }),
      customerName: word('customerName', 'Needed by some providers.', 'Adaeze Obi'),
      customerEmail: word('customerEmail', 'Needed by some providers.', 'adaeze@example.com'),
      customerPhone: word('customerPhone', 'Needed by some providers.', '2348012345678'),
      serviceDetails: word('serviceDetails', 'What was sold; needed by some providers.', 'A wooden table, 2 m'),
      deliveryAddress: word('deliveryAddress', 'Where it was delivered.', '12 Broad Street, Lagos'),
      deliveryDate: word('deliveryDate', 'When it was delivered.', '2026-11-20'),
      file: Type.Optional(
        Type.Unsafe<unknown>({
          type: 'string',
          format: 'binary',
          description: `A PDF, PNG or JPEG of at most 5 MB; up to ${MAX_FILES} parts of this name.`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

export const OpenSandboxDisputeBody = Type.Object(
  {
    paymentId: Uuid('A payment that came in, in the sandbox.'),
    amount: Type.Optional(Amount()),
    category: Type.Optional(Type.Enum([...DISPUTE_CATEGORIES])),
    message: Type.Optional(VisibleText({ minLength: 1, maxLength: 200, examples: ['I never got it'] })),
    scenario: Type.Optional(
      Type.Enum([...DISPUTE_SCENARIO_NAMES], {
        description: 'What the payer’s bank makes of an answer, see the sandbox page. Default: `won`.',
        examples: ['lost'],
      }),
    ),
    answerWithinSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 2_592_000,
        examples: [57_600],
        'x-hint': 'must be from 60 to 2592000',
        description: 'Until when it can be answered; 16 hours where it is left out.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const SandboxDisputeSchema = Named(
  'SandboxDispute',
  Type.Object({
    providerDisputeId: Type.String({ description: 'By which the dispute is found once it is opened here.' }),
    paymentId: Uuid(),
    amount: Money('What is wanted back.'),
    currency: Type.Literal('NGN'),
    scenario: Type.Enum([...DISPUTE_SCENARIO_NAMES]),
    dueAt: DateTime(),
  }),
);

export { DisputeSchema };

export const disputeEvents: EventTypes = {
  'dispute.opened': { summary: 'A payer’s bank wants a payment back; the amount is held.', data: DisputeSchema },
  'dispute.updated': {
    summary: 'Something of a dispute changed: an answer, what is held, what is owed, or until when it can be answered.',
    data: DisputeSchema,
  },
  'dispute.evidence_sent': {
    summary: 'The provider has the evidence, and the payer’s bank decides.',
    data: DisputeSchema,
  },
  'dispute.won': { summary: 'A dispute is won: what was held is available again.', data: DisputeSchema },
  'dispute.lost': {
    summary: 'A dispute is lost: the amount was taken, and what was not there is owed.',
    data: DisputeSchema,
  },
  'dispute.accepted': { summary: 'A dispute was accepted: the amount was taken.', data: DisputeSchema },
  'sandbox.dispute_opened': {
    summary: 'A simulated payer’s bank wants a sandbox payment back.',
    data: SandboxDisputeSchema,
  },
};
