import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Principal } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { MAX_NEEDS, type NeedsRow } from './queries.ts';
import { type Home, type HomeDeps, readHome } from './read-home.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const counted = { count: count(`At most ${MAX_NEEDS}: then there may be more.`) };
const Batches = Type.Object({
  ...counted,
  batchReference: Nullable(Type.String({ description: 'Where it is one.' })),
});

const HomeSchema = Named(
  'Home',
  Type.Object({
    since: DateTime(
      'Failed and returned payouts, and refunds that failed or were refused, count from here on, batches for 30 days.',
    ),
    failedPayouts: Nullable(Type.Object(counted)),
    returnedPayouts: Nullable(Type.Object(counted)),
    unknownOutcomes: Nullable(Type.Object({ ...counted, since: Nullable(DateTime('Of the oldest.')) })),
    partlyPaidBatches: Nullable(Batches),
    batchesToCorrect: Nullable(Batches),
    batchesReady: Nullable(Batches),
    rejectedBatches: Nullable(
      Type.Object(
        {
          ...Batches.properties,
          by: Nullable(Type.String({ description: 'Who rejected the last of them.' })),
          at: Nullable(DateTime()),
          note: Nullable(Type.String({ description: 'Why.' })),
        },
        { description: 'Ready again, because somebody rejected them, and neither changed nor sent anew since.' },
      ),
    ),
    refundsNeedingDetails: Nullable(Type.Object(counted)),
    failedRefunds: Nullable(Type.Object(counted)),
    disputesToAnswer: Nullable(
      Type.Object({
        ...counted,
        dueAt: Nullable(DateTime('Until when the first of them can be answered; null: no provider says.')),
        disputeId: Nullable(Uuid('Where it is one.')),
      }),
    ),
    refusedRefunds: Nullable(Type.Object(counted, { description: 'That the rule for refunds could not make.' })),
    approvals: Nullable(count('That wait for the person who asks.')),
    oldKeys: Nullable(count('In force for more than 90 days.')),
    webhook: Nullable(Type.Object({ status: Type.String(), failuresInARow: Type.Integer() })),
    setUp: Nullable(
      Type.Object(
        {
          submittedAt: Nullable(DateTime('Since then it is in review.')),
          rejectedReason: Nullable(Type.String()),
          steps: Type.Array(
            Type.Object({
              key: Type.Enum(['PROFILE', 'REVIEW', 'ADD_MONEY', 'PIN', 'PEOPLE', 'FIRST_PAYOUT']),
              done: Type.Boolean(),
              problems: Type.Array(
                Type.Object({ code: Type.String(), message: Type.String(), waitsFor: Type.String() }),
              ),
            }),
          ),
        },
        { description: 'The way from the sign-up to the first live payout. Null: it is behind them.' },
      ),
    ),
  }),
);

/** What the first page of a merchant shows beside money. */
export function homeRoutes(deps: HomeDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/home',
      {
        config: { access: { scope: null, person: true, beforeApproval: true } },
        schema: {
          tags: ['Dashboard: what happened'],
          operationId: 'getHome',
          summary: 'What needs somebody, and the way to the first live payout',
          description: 'As far as the role may read it; what it may not is null.',
          response: answers(Success(HomeSchema)),
        },
      },
      async (request, reply) => {
        const home = await readHome(deps, request.principal);
        return sendAnswer(reply, success('Success', homeView(home, request.principal)));
      },
    );
  };
}

function homeView({ needs, approvals, since, setUp }: Home, { scopes, member }: Principal): Static<typeof HomeSchema> {
  const mayRead = scopes.has('transaction:read');
  const refunds = (found: number | undefined) =>
    scopes.has('collection:read') && found !== undefined ? { count: found } : null;
  const batches = (found: number, only: string | null) =>
    scopes.has('payout:read') ? { count: found, batchReference: only === null ? null : batchReferenceOf(only) } : null;
  return {
    since: since.toISOString(),
    failedPayouts: mayRead && needs !== null ? { count: needs.failed_payouts } : null,
    returnedPayouts: mayRead && needs !== null ? { count: needs.returned_payouts } : null,
    unknownOutcomes:
      mayRead && needs !== null
        ? { count: needs.unknown_outcomes, since: needs.unknown_since?.toISOString() ?? null }
        : null,
    partlyPaidBatches: needs && batches(needs.partly_paid_batches, needs.only_partly_paid),
    batchesToCorrect: needs && batches(needs.batches_to_correct, needs.only_to_correct),
    batchesReady: needs && batches(needs.batches_ready, needs.only_ready),
    rejectedBatches: rejectedView(needs && batches(needs.batches_rejected, needs.only_rejected), needs),
    refundsNeedingDetails: refunds(needs?.refunds_needing_details),
    failedRefunds: refunds(needs?.failed_refunds),
    disputesToAnswer:
      scopes.has('collection:read') && needs !== null
        ? {
            count: needs.disputes_to_answer,
            dueAt: needs.dispute_due_at?.toISOString() ?? null,
            disputeId: needs.only_dispute,
          }
        : null,
    refusedRefunds: refunds(needs?.refused_refunds),
    approvals,
    oldKeys: member?.permissions.has('key:manage') === true ? (needs?.old_keys ?? 0) : null,
    webhook:
      scopes.has('webhook:read') && needs?.webhook_status != null
        ? { status: needs.webhook_status, failuresInARow: needs.webhook_failures ?? 0 }
        : null,
    setUp,
  };
}

function rejectedView(
  counts: { count: number; batchReference: string | null } | null,
  needs: NeedsRow | null,
): Static<typeof HomeSchema>['rejectedBatches'] {
  if (counts === null || needs === null) return null;
  const { rejected_by: by, rejected_at: at, rejected_note: note } = needs;
  return { ...counts, by, at: at?.toISOString() ?? null, note };
}
