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
import { singleInput } from './routes.ts';
import { schedulePayout } from './schedule-payout.ts';
import { CancelScheduleBody, ListSchedulesQuery, SchedulePayoutBody, ScheduleSchema } from './schemas.ts';

export function scheduleRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/payout/single/schedule',
      {
        config: { access: { scope: 'payout:write', service: 'PAYOUT', pin: true } },
        schema: {
          tags: ['Payouts'],
          summary: 'Pay a bank account later',
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
          summary: 'List scheduled payouts, newest first',
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
        config: { access: { scope: 'payout:write', service: 'PAYOUT' } },
        schema: {
          tags: ['Payouts'],
          summary: 'Cancel a scheduled payout',
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
