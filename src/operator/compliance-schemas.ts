import { Type } from 'typebox';
import { CASE_REASONS, CASE_STATUSES, FREEZE_SUBJECTS } from '../compliance/index.ts';
import { DateTime, Money, Named, Nullable, Uuid, VisibleLines, VisibleText } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { Digest, ModeName, OneOf, Reason } from './schemas.ts';

const Subject = () =>
  OneOf(
    FREEZE_SUBJECTS,
    'ACCOUNT: an account at a bank. PAYER: who pays, by name. REFERENCE: one payment or payout. MERCHANT: all wallets of a merchant.',
  );

const note = VisibleLines({
  minLength: 10,
  maxLength: 1_000,
  examples: ['The court lifted its order of 20 November on 24 November.'],
  description: 'What was seen, where, and who said it.',
  'x-hint': 'must say in 10 to 1,000 characters what was seen, and where',
});

export const ListFreezesQuery = Type.Object(
  {
    mode: Type.Optional(ModeName()),
    inForce: Type.Optional(
      OneOf(['true', 'false'] as const, 'true: only those that are not over. false: only those that are.'),
    ),
    ...listQuery(),
  },
  { additionalProperties: false },
);

/** That something waits for a second person. */
const PendingProposal = Named(
  'ComplianceProposal',
  Type.Object({
    proposalId: Uuid(),
    note: Type.String(),
    digest: Digest('Of all that is proposed: the person who confirms it sends it back.'),
    proposedBy: Nullable(Type.String()),
    proposedAt: DateTime(),
    isMine: Type.Boolean({ description: 'You proposed it: another person confirms it.' }),
  }),
);

export const FreezeSchema = Named(
  'Freeze',
  Type.Object({
    freezeId: Uuid(),
    mode: ModeName(),
    subject: Subject(),
    bankCode: Nullable(Type.String()),
    bankName: Nullable(Type.String()),
    accountNumber: Nullable(Type.String()),
    payerName: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    merchantId: Nullable(Uuid()),
    businessName: Nullable(Type.String()),
    reason: Type.String(),
    legalBasis: Type.String(),
    owner: Type.String({ description: 'Who is responsible for it at the operator.' }),
    startsAt: DateTime(),
    inForceAt: DateTime('From then on nothing passes for certain: every process knows it.'),
    endsAt: Nullable(DateTime('Null: until two people lift it.')),
    madeBy: Nullable(Type.String()),
    madeAt: DateTime(),
    liftedAt: Nullable(DateTime()),
    state: OneOf(['AHEAD', 'IN_FORCE', 'LIFTED', 'ENDED'] as const),
    cases: Type.Integer({ description: 'Payments and payouts that were held for it.' }),
    openCases: Type.Integer({ description: 'Those that still are.' }),
    lift: Nullable(PendingProposal),
  }),
);

const TrailSchema = Named(
  'FreezeTrail',
  Type.Object({
    at: DateTime(),
    what: Type.String({ examples: ['PAYOUT_HELD'] }),
    who: Nullable(Type.String()),
    detail: Type.String(),
  }),
);

export const FreezeWithTrailSchema = Named(
  'FreezeWithTrail',
  Type.Object({ freeze: FreezeSchema, trail: Type.Array(TrailSchema) }),
);

const text = (maxLength: number, example: string, description: string) =>
  VisibleText({ minLength: 2, maxLength, examples: [example], description });

export const MakeFreezeBody = Type.Object(
  {
    mode: ModeName(),
    subject: Subject(),
    bankCode: Type.Optional(text(20, '058', 'Of an account.')),
    accountNumber: Type.Optional(
      Type.String({
        pattern: '^\\d{10}$',
        examples: ['0123456785'],
        'x-hint': 'must be 10 digits',
        description: 'Of an account; of a payer, where it has to be this account too.',
        'x-log': 'LAST4',
      }),
    ),
    payerName: Type.Optional(text(200, 'Chidi Okafor', 'Of a payer: the same words in any order.')),
    reference: Type.Optional(
      text(200, '000013251120101500000000000001', 'An id of ours, the provider’s or the network’s.'),
    ),
    merchantId: Type.Optional(Uuid()),
    reason: Reason(),
    legalBasis: text(500, 'Order of the Federal High Court, FHC/L/CS/41/2026', 'By which order or law.'),
    owner: text(200, 'Compliance desk, Bola', 'Who is responsible for it.'),
    startsAt: Type.Optional(DateTime('Left out: now.')),
    endsAt: Type.Optional(Nullable(DateTime('Left out or null: until two people lift it.'))),
  },
  { additionalProperties: false },
);

export const FreezeParams = Type.Object({ freezeId: Uuid() });

export const ProposeLiftBody = Type.Object({ freezeId: Uuid(), note }, { additionalProperties: false });

export const ProposeReleaseBody = Type.Object(
  { merchantId: Uuid(), mode: ModeName(), caseId: Uuid(), note },
  { additionalProperties: false },
);

export const ProposedComplianceSchema = Named(
  'ProposedCompliance',
  Type.Object({ proposalId: Uuid(), digest: Digest('What the second person confirms.') }),
);

export const ConfirmComplianceBody = Type.Object(
  { proposalId: Uuid(), digest: Digest('Of the proposal as you saw it.') },
  { additionalProperties: false },
);

export const CloseComplianceBody = Type.Object(
  { proposalId: Uuid(), reason: Reason() },
  { additionalProperties: false },
);

const caseFilter = {
  mode: Type.Optional(ModeName()),
  status: Type.Optional(OneOf(CASE_STATUSES)),
  merchantId: Type.Optional(Uuid()),
  freezeId: Type.Optional(Uuid('What this freeze holds, or held.')),
  subjectId: Type.Optional(Uuid('Of one payment or payout, with its merchant and mode.')),
};
export const ListCasesQuery = Type.Object({ ...caseFilter, ...listQuery() }, { additionalProperties: false });
export const CasesFileQuery = Type.Object(caseFilter, { additionalProperties: false });

export const ComplianceCaseSchema = Named(
  'ComplianceCase',
  Type.Object({
    caseId: Uuid(),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    subjectType: OneOf(['PAYMENT', 'PAYOUT'] as const),
    subjectId: Uuid(),
    subjectStatus: Nullable(Type.String()),
    reason: OneOf(CASE_REASONS),
    cause: Type.String({ description: 'The id of the freeze, or what else held it.' }),
    facts: Type.Record(Type.String(), Type.Unknown(), { description: 'What was found, by which list or rule.' }),
    status: OneOf(CASE_STATUSES, 'RELEASED: it went on. REFUSED: it did not. LAPSED: what held it is over.'),
    openedAt: DateTime(),
    decidedAt: Nullable(DateTime()),
    amount: Nullable(Money('Of the payment or payout.')),
    partyName: Nullable(Type.String({ description: 'Of a payment the payer, of a payout the payee.' })),
    partyAccountNumber: Nullable(Type.String()),
    partyBankName: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    sessionId: Nullable(Type.String()),
    proposal: Nullable(PendingProposal),
  }),
);
