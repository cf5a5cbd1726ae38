import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../../access/index.ts';
import { success } from '../../platform/answer.ts';
import { parsePeriod } from '../../platform/http/period.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { listRequest } from '../../platform/lists/list.ts';
import { ListPage } from '../../platform/lists/schemas.ts';
import type { PayoutDeps } from '../deps.ts';
import { ScenarioHeaders } from '../schemas.ts';
import { cancelSchedule } from './cancel-schedule.ts';
import { readSchedules } from './read-schedules.ts';
import { SINGLE_ERRORS, singleInput } from './routes.ts';
import { schedulePayout } from './schedule-payout.ts';
import { CancelScheduleBody, ListSchedulesQuery, SchedulePayoutBody, ScheduleSchema } from './schemas.ts';

const CANCEL_ERRORS = [
  'SCHEDULE_NOT_FOUND',
  'SCHEDULE_ALREADY_CANCELLED',
  'SCHEDULE_ALREADY_FIRED',
  'APPROVAL_SUBJECT_ALTERED',
  'APPROVAL_MOVED_ON',
];

export function scheduleRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/payout/single/schedule',
      {
        config: {
          access: { scope: 'payout:write', service: 'PAYOUT', pin: true },
          errorCodes: SINGLE_ERRORS,
        },
        schema: {
          tags: ['Payouts'],
          operationId: 'schedulePayout',
          summary: 'Pay a bank account later',
          description: 'The money is held when the date comes, not before.',
          headers: ScenarioHeaders,
          body: SchedulePayoutBody,
          response: answers(Success(ScheduleSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          schedulePayout(deps, {
            ...singleInput(request, request.body),
            scheduledFor: new Date(request.body.scheduledFor),
          }),
        ),
    );
    app.get(
      '/payout/single/schedule',
      {
        config: { access: { scope: 'payout:read', service: 'PAYOUT' } },
        schema: {
          tags: ['Payouts'],
          operationId: 'listScheduledPayouts',
          summary: 'List scheduled payouts, newest first',
          description: 'Filter by `status`, and by `from` and `to` of the date that is planned.',
          querystring: ListSchedulesQuery,
          response: answers(Success(ListPage(ScheduleSchema))),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const { query } = request;
        const wanted = { status: query.status, ...parsePeriod(query) };
        const found = await readSchedules(deps.database, tenant, wanted, listRequest(query));
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.post(
      '/payout/single/schedule/cancel',
      {
        config: {
          access: { scope: 'payout:write', service: 'PAYOUT' },
          errorCodes: CANCEL_ERRORS,
        },
        schema: {
          tags: ['Payouts'],
          operationId: 'cancelScheduledPayout',
          summary: 'Cancel a scheduled payout',
          description:
            'Possible until it is sent. Of a cancellation and a sending at one moment the first counts, and the other says so.',
          body: CancelScheduleBody,
          response: answers(Success(ScheduleSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          cancelSchedule(deps, {
            tenant: request.principal.tenant,
            scheduleId: request.body.scheduleId,
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}
