import { Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import {
  AmountFromZero,
  DateTime,
  type EventTypes,
  Money,
  Named,
  Nullable,
  ONE_FIELD,
  Uuid,
  VisibleLines,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { APPROVAL_KINDS, APPROVAL_STATUSES } from './queries.ts';
import { SHOWN_FIELDS, SUBJECT_TYPES } from './shown-lines.ts';

const Kind = () => Type.Enum([...APPROVAL_KINDS], { description: 'What it is about.' });
const Digest = () =>
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 over all that is shown. An approval is for exactly this.',
    'x-hint': 'must be the 64 hex digits of the approval that you saw',
  });

const SubjectKind = (description: string) => Type.Enum([...SUBJECT_TYPES], { description });

const ShownLineSchema = Named(
  'ApprovalLine',
  Type.Object({
    field: Type.Enum([...SHOWN_FIELDS], {
      description: 'What the line is, once in an approval. Programs decide by this, never by the label.',
      examples: ['amount'],
    }),
    label: Type.String({ description: 'The same for people, as they were shown it.', examples: ['Amount'] }),
    value: Type.String({ examples: ['₦1,500.50'] }),
    subjectType: Nullable(SubjectKind('What the line names; null where it names nothing.')),
    subjectId: Nullable(Uuid('Which of them.')),
  }),
);

/** An approval as its events report it. */
const ApprovalEventSchema = Named(
  'ApprovalEvent',
  Type.Object({
    approvalId: Uuid('The approval.'),
    kind: Kind(),
    subjectType: SubjectKind('What `subjectId` names: a schedule is a payout.'),
    subjectId: Uuid('The payout (transactionId), the batch (id), the beneficiary, or the change itself.'),
    title: Type.String({ examples: ['₦1,500.50 to ADA OBI'] }),
    amount: Nullable(Money('What leaves the wallet without charges; null where it is about no amount.')),
    charges: Nullable(Money('Fee, VAT and duty.')),
    total: Nullable(Money('Amount and charges.')),
    currency: Type.Literal('NGN'),
    digest: Digest(),
    shown: Type.Array(ShownLineSchema, { description: 'What an approver is to look at, in order.' }),
    status: Type.Enum([...APPROVAL_STATUSES], { description: 'See the states page.' }),
    conclusive: Type.Boolean({
      description:
        'May you act on this status as final? False while it waits, also where some have approved: nothing changes once it was decided or is off.',
    }),
    reason: Nullable(Type.String({ description: 'Why it is void, UPPER_SNAKE.' })),
    needed: Type.Integer({ description: 'How many people have to approve.' }),
    given: Type.Integer({ description: 'How many have.' }),
    madeBy: Type.Object({
      personId: Nullable(Uuid('Null: an API key that no person made.')),
      name: Type.String(),
      via: Type.Enum(['DASHBOARD', 'API']),
    }),
    madeAt: DateTime(),
    expiresAt: DateTime('Without enough approvals until then it is off.'),
    decisions: Type.Array(
      Type.Object({
        decision: Type.Enum(['APPROVE', 'REJECT']),
        by: Type.Object({ personId: Uuid(), name: Type.String() }),
        note: Nullable(Type.String()),
        at: DateTime(),
      }),
    ),
  }),
);

export const ApprovalSchema = Named(
  'Approval',
  Type.Interface([ApprovalEventSchema], {
    mayDecide: Type.Boolean({ description: 'May you, who asks, decide about it now?' }),
    mayApprove: Type.Boolean({
      description: 'May you approve it? Where somebody who approved it has left, it can be rejected and no more.',
    }),
    whyNot: Nullable(Type.String({ description: 'Why you may not decide, or not approve, in a sentence.' })),
    madeFrom: Nullable(
      Type.String({
        description: 'The address from which it was asked for, where you decide about approvals; else null.',
        examples: ['203.0.113.7'],
      }),
    ),
  }),
);

export const ApprovalPage = ListPage(ApprovalSchema);

export const ApprovalParams = Type.Object({ approvalId: Uuid('The approval.') });

/** The lists that a person asks for: by their own part in the approvals. */
export const INBOXES = ['TO_DECIDE', 'MINE', 'DECIDED'] as const;

export const ListApprovalsQuery = Type.Object(
  {
    ...listQuery(),
    inbox: Type.Optional(
      Type.Enum([...INBOXES], {
        description: 'Only what you, who ask, may decide about now; what you made; or what waits no longer.',
      }),
    ),
    status: Type.Optional(Type.Enum([...APPROVAL_STATUSES], { description: 'Only those of this status.' })),
    kind: Type.Optional(Kind()),
    subjectId: Type.Optional(Uuid('Only those of one payout, batch or beneficiary.')),
    madeBy: Type.Optional(Uuid('Only what this person made, by hand or by a key of theirs.')),
    ...PeriodQuery,
  },
  { additionalProperties: false },
);

const Note = () =>
  VisibleLines({
    minLength: 1,
    maxLength: 500,
    description: 'A word to the others.',
    examples: ['Checked against the invoice'],
  });

export const ApproveBody = Type.Object(
  { digest: Digest(), note: Type.Optional(Note()) },
  { additionalProperties: false },
);

export const RejectBody = Type.Object({ note: Note() }, { additionalProperties: false });

export const WithdrawBody = Type.Object({}, { additionalProperties: false });

const MAX_APPROVALS = 5;
const MAX_TIERS = 20;

const Tier = () =>
  Type.Object(
    {
      fromAmount: AmountFromZero(undefined, 1500.5),
      approvals: Type.Integer({
        minimum: 1,
        maximum: MAX_APPROVALS,
        'x-hint': `must be from 1 to ${MAX_APPROVALS}`,
        description: 'How many people have to approve.',
      }),
    },
    { additionalProperties: false },
  );

export const RulesBody = Type.Object(
  {
    isMakerCheckerEnabled: Type.Optional(Type.Boolean({ description: 'Off, nothing needs an approval.' })),
    rules: Type.Optional(
      Type.Array(Tier(), {
        minItems: 1,
        maxItems: MAX_TIERS,
        description: 'From which amount on how many approvals are needed. Below the lowest none is.',
        examples: [[{ fromAmount: 0, approvals: 1 }]],
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, 'x-hint': ONE_FIELD },
);

export const RulesSchema = Named(
  'Rules',
  Type.Object({
    isMakerCheckerEnabled: Type.Boolean(),
    version: Type.Integer({ description: 'Counts every change.' }),
    rules: Type.Array(
      Type.Object({ fromAmount: Money('From this amount on, without charges.'), approvals: Type.Integer() }),
    ),
    deciders: Type.Integer({ description: 'People who may decide about approvals now.' }),
    keysWithoutMaker: Type.Integer({
      description:
        'Secret keys of this mode that may pay and that no person made. Nobody is kept from approving what they send.',
    }),
    approvalId: Nullable(Uuid('Of the change that waits for approval, if there is one.')),
  }),
);

export const approvalEvents: EventTypes = {
  'approval.requested': { summary: 'Something waits for approval.', data: ApprovalEventSchema },
  'approval.decided': {
    summary: 'Somebody decided about an approval, or it ended undecided; its status says which.',
    data: ApprovalEventSchema,
  },
  'approval.rules_changed': {
    summary: 'The rules of approval were changed, or approvals were switched on or off.',
    data: Type.Object({
      isMakerCheckerEnabled: Type.Boolean(),
      version: Type.Integer(),
      rules: Type.Array(Type.Object({ fromAmount: Money('From this amount on.'), approvals: Type.Integer() })),
      reason: Nullable(
        Type.String({ description: 'Why the operator switched approvals off; null for your own change.' }),
      ),
    }),
  },
};
