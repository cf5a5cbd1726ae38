import { hash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { answerCommand, type Member } from '../access/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { changeRules, showRules } from './change-rules.ts';
import { makerOf } from './clearance.ts';
import { type ApprovalDeps, decideApproval, withdrawApproval } from './decide-approval.ts';
import { readApproval, readApprovals } from './read-approvals.ts';
import {
  ApprovalPage,
  ApprovalParams,
  ApprovalSchema,
  ApproveBody,
  ListApprovalsQuery,
  RejectBody,
  RulesBody,
  RulesSchema,
  WithdrawBody,
} from './schemas.ts';

/** All routes under `/approval`. */
export function approvalRoutes(deps: ApprovalDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(app, ruleRoutes(deps), readRoutes(deps));
    await app.register(decisionRoutes(deps));
    app.post(
      '/approval/:approvalId/withdraw',
      {
        config: {
          access: { scope: 'payout:write', orScope: 'collection:write' },
          errorCodes: [
            'APPROVAL_NOT_FOUND',
            'APPROVAL_CLOSED',
            'APPROVAL_MOVED_ON',
            'APPROVAL_SUBJECT_ALTERED',
            'NOT_THE_MAKER',
          ],
        },
        schema: {
          tags: ['Approvals'],
          operationId: 'withdrawApproval',
          summary: 'Take back what you put before approvers',
          description:
            'Only who made it can. What waited for it is cancelled or goes back to where it was. It takes `payout:write`; ' +
            'for a refund, `collection:write` does as well.',
          params: ApprovalParams,
          body: WithdrawBody,
          response: answers(Success(ApprovalSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          withdrawApproval(deps, {
            principal: request.principal,
            approvalId: request.params.approvalId,
            maker: makerOf(request),
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

function readRoutes(deps: ApprovalDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/approval',
      {
        config: { access: { scope: 'payout:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Approvals'],
          operationId: 'listApprovals',
          summary: 'List what waits for approval and what was decided, newest first',
          description: 'Filter by `status` and `kind`.',
          querystring: ListApprovalsQuery,
          response: answers(Success(ApprovalPage)),
        },
      },
      async (request, reply) => {
        const { principal } = request;
        const { inbox, status, kind, subjectId, madeBy } = request.query;
        const search = { inbox, status, kind, subjectId, madeBy, ...parsePeriod(request.query) };
        const found = await readApprovals(deps, principal, search, {
          ...listRequest(request.query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/approval/:approvalId',
      {
        config: { access: { scope: 'payout:read' }, errorCodes: ['APPROVAL_NOT_FOUND'] },
        schema: {
          tags: ['Approvals'],
          operationId: 'getApproval',
          summary: 'One approval with what is shown and who decided',
          description: 'An approval holds for exactly what is shown here, named by its `digest`.',
          params: ApprovalParams,
          response: answers(Success(ApprovalSchema)),
        },
      },
      async (request, reply) => {
        const { principal, params } = request;
        return sendAnswer(reply, success('Success', await readApproval(deps, principal, params.approvalId)));
      },
    );
  };
}

const decides = { scope: 'payout:read', permission: 'approval:decide' } as const;
const tags = ['Dashboard: Approvals'];

function decisionRoutes(deps: ApprovalDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('preHandler', async (request) => keepKeysApart(request));
    app.post(
      '/approval/:approvalId/approve',
      {
        config: { access: decides },
        schema: {
          tags,
          operationId: 'approveApproval',
          summary: 'Approve exactly what you saw',
          params: ApprovalParams,
          body: ApproveBody,
          response: answers(Success(ApprovalSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { digest, note } = request.body;
          return decideApproval(deps, { ...deciding(request), decision: 'APPROVE', digest, note: note ?? null });
        }),
    );
    app.post(
      '/approval/:approvalId/reject',
      {
        config: { access: decides },
        schema: {
          tags,
          operationId: 'rejectApproval',
          summary: 'Reject what another made, and say why',
          params: ApprovalParams,
          body: RejectBody,
          response: answers(Success(ApprovalSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          decideApproval(deps, {
            ...deciding(request),
            decision: 'REJECT',
            digest: undefined,
            note: request.body.note,
          }),
        ),
    );
  };
}

function deciding({ principal, params, idempotency }: FastifyRequest) {
  const { approvalId } = params as { approvalId: string };
  const { tenant, services } = principal;
  // The guard admits only members.
  return { tenant, services, member: principal.member as Member, approvalId, idempotency };
}

/** A decision belongs to its person: another person's under the same key is refused, and does not count. */
function keepKeysApart(request: FastifyRequest): void {
  const { idempotency, principal } = request;
  if (idempotency === undefined || idempotency.key === null) return;
  const personId = principal.member?.personId ?? '';
  request.idempotency = {
    ...idempotency,
    inputHash: hash('sha256', `${personId} ${idempotency.inputHash}`, 'base64url'),
  };
}

function ruleRoutes(deps: ApprovalDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/approval/rules',
      {
        config: { access: { scope: 'payout:read' } },
        schema: {
          tags: ['Approvals'],
          operationId: 'getApprovalRules',
          summary: 'How many people have to approve what',
          description: 'From which amounts on how many people approve, for each kind of action.',
          response: answers(Success(RulesSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, await showRules(deps, request.principal.tenant)),
    );
    app.patch(
      '/approval/rules',
      {
        config: { access: { scope: null, permission: 'rule:manage', stepUp: true } },
        schema: {
          tags: ['Dashboard: Approvals'],
          operationId: 'updateApprovalRules',
          summary: 'Change the rules of approval, or switch approvals on or off',
          description:
            'For both modes. While approvals are on, the change needs as many approvals as the strictest rule: the answer then shows the rules in force and the approvalId of the change.',
          body: RulesBody,
          response: answers(Success(RulesSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { isMakerCheckerEnabled, rules } = request.body;
          return changeRules(deps, {
            tenant: request.principal.tenant,
            maker: makerOf(request),
            isEnabled: isMakerCheckerEnabled,
            tiers: rules?.map(({ fromAmount, approvals }) => ({
              fromMinor: parseAmount(fromAmount, 'rules', { allowZero: true }),
              approvals,
            })),
            idempotency: request.idempotency,
          });
        }),
    );
  };
}
