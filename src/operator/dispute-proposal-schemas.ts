import { Type } from 'typebox';
import { DISPUTE_ENDS } from '../dispute-proposals/index.ts';
import { DISPUTE_CATEGORIES } from '../disputes/index.ts';
import { OUTCOME_SOURCES } from '../outcomes/index.ts';
import { Amount, DateTime, Money, Named, Nullable, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { ConfirmOutcomeBody, HowKnown, ofTenant, RejectOutcomeBody } from './proposal-schemas.ts';
import { Digest, ModeName, OneOf } from './schemas.ts';

const ACTIONS = ['OPEN', ...DISPUTE_ENDS] as const;
const Action = () => OneOf(ACTIONS, 'OPEN: there is a dispute. WON, LOST: it ended so.');
const Rail = () =>
  Type.String({
    minLength: 1,
    maxLength: 60,
    examples: ['monnify-live'],
    description: 'The provider account that has the payment.',
  });
const ProviderNumber = () =>
  VisibleText({
    minLength: 1,
    maxLength: 200,
    examples: ['CB-2026-1142'],
    description: 'The provider’s own number of it.',
  });

const Person = Nullable(Type.String({ description: 'An e-mail address.' }));

export const DisputeProposalSchema = Named(
  'DisputeProposal',
  Type.Object({
    proposalId: Uuid(),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    action: Action(),
    disputeId: Uuid('Of an OPEN: the id that the dispute gets.'),
    paymentId: Uuid(),
    rail: Rail(),
    providerDisputeId: Type.String(),
    amount: Money('What is wanted back.'),
    currency: Type.Literal('NGN'),
    category: OneOf(DISPUTE_CATEGORIES),
    message: Nullable(Type.String({ description: 'What the payer says.' })),
    dueAt: Nullable(DateTime('Until when it can be answered.')),
    source: OneOf(OUTCOME_SOURCES, 'How it is known.'),
    note: Type.String({ description: 'What was seen, where, and who said it.' }),
    status: OneOf(['PENDING', 'CONFIRMED', 'REJECTED'] as const),
    reason: Nullable(Type.String({ description: 'Why it was turned down.' })),
    proposedBy: Person,
    proposedAt: DateTime(),
    decidedBy: Person,
    decidedAt: Nullable(DateTime()),
    isMine: Type.Boolean({ description: 'True: another person has to confirm it.' }),
    isAltered: Type.Boolean({ description: 'It is not what was proposed: it can only be rejected.' }),
    digest: Digest('SHA-256 over what is proposed: the person who confirms sends it back.'),
  }),
);

export const ProposeDisputeBody = Type.Object(
  {
    ...ofTenant,
    rail: Rail(),
    paymentId: Uuid('The payment that is disputed.'),
    providerDisputeId: ProviderNumber(),
    amount: Amount('What is wanted back. It may be more than the payment: then nothing beyond it is taken.'),
    category: OneOf(DISPUTE_CATEGORIES),
    message: Type.Optional(VisibleText({ minLength: 1, maxLength: 500, description: 'What the payer says.' })),
    dueAt: Type.Optional(DateTime('Until when the provider takes an answer; without it, it does not say.')),
    ...HowKnown,
  },
  { additionalProperties: false },
);

export const ProposeDisputeEndBody = Type.Object(
  { ...ofTenant, disputeId: Uuid(), outcome: OneOf(DISPUTE_ENDS), ...HowKnown },
  { additionalProperties: false },
);

export const ConfirmDisputeBody = ConfirmOutcomeBody;
export const RejectDisputeBody = RejectOutcomeBody;

export const ConfirmedDisputeSchema = Named('ConfirmedDispute', Type.Object({ disputeId: Uuid(), action: Action() }));
