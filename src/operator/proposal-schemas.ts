import { Type } from 'typebox';
import { OUTCOME_SOURCES } from '../outcomes/index.ts';
import { DateTime, Named, Nullable, Uuid, VisibleLines } from '../platform/http/schemas.ts';
import { Digest, ModeName, OneOf, Reason } from './schemas.ts';

/** A statement by one person about the outcome of a payout or a refund, which another has not decided yet. */
export const OpenProposal = <Outcome extends string>(outcomes: readonly Outcome[]) =>
  Type.Object({
    proposalId: Uuid(),
    outcome: OneOf(outcomes),
    source: OneOf(OUTCOME_SOURCES, 'How it is known.'),
    note: Type.String({ description: 'What was seen, where, and who said it.' }),
    proposedBy: Type.Object({ personId: Uuid(), email: Nullable(Type.String()) }),
    proposedAt: DateTime(),
    isMine: Type.Boolean({ description: 'True: another person has to confirm it.' }),
    digest: Digest('SHA-256 over what is proposed: the person who confirms sends it back.'),
  });

/** One of all statements about an outcome, decided or not. */
export const EndedProposal = <Outcome extends string>(outcomes: readonly Outcome[]) =>
  Type.Object({
    proposalId: Uuid(),
    outcome: OneOf(outcomes),
    source: OneOf(OUTCOME_SOURCES),
    note: Type.String(),
    status: OneOf(['PENDING', 'CONFIRMED', 'REJECTED', 'STALE'] as const, 'STALE: more became known, so it is void.'),
    proposedBy: Nullable(Type.String({ description: 'An e-mail address.' })),
    proposedAt: DateTime(),
    decidedBy: Nullable(Type.String({ description: 'An e-mail address; null where nobody decided.' })),
    decidedAt: Nullable(DateTime()),
    reason: Nullable(Type.String({ description: 'Why it was turned down.' })),
  });

export const ofTenant = { merchantId: Uuid(), mode: ModeName() };

export const HowKnown = {
  source: OneOf(OUTCOME_SOURCES, 'How you know.'),
  note: VisibleLines({
    minLength: 10,
    maxLength: 1_000,
    examples: ['The bank wrote on 20 November that the transfer was not executed.'],
    description: 'What you saw, where, and who said it.',
  }),
};

export const ProposedSchema = Named(
  'Proposed',
  Type.Object({
    proposalId: Uuid(),
    digest: Digest('What the other person confirms.'),
  }),
);

export const ConfirmOutcomeBody = Type.Object(
  { ...ofTenant, proposalId: Uuid(), digest: Digest('Of the proposal as it was shown: only that is confirmed.') },
  { additionalProperties: false },
);

export const RejectOutcomeBody = Type.Object(
  { ...ofTenant, proposalId: Uuid(), reason: Reason() },
  { additionalProperties: false },
);
