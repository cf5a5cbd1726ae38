import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { answerCommand, answerQuestion } from '../access/index.ts';
import { makerOf } from '../approvals/index.ts';
import { NAME_ENQUIRY_ERRORS } from '../bank-directory/index.ts';
import { FEE_ERRORS } from '../fees/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { sourceOf } from '../platform/http/json-body.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { metadataText } from '../transactions/index.ts';
import type { PayoutDeps } from './deps.ts';
import { PAYMENT_ERRORS } from './errors.ts';
import { SCENARIO_HEADER, scenarioOf } from './rails.ts';
import { cancelSchedule, readSchedules, schedulePayout } from './schedule-payout.ts';
import {
  CancelScheduleBody,
  ListSchedulesQuery,
  PayoutSchema,
  PaySingleBody,
  QuoteBody,
  QuoteSchema,
  ScenarioHeaders,
  SchedulePayoutBody,
  ScheduleSchema,
} from './schemas.ts';
import { paySingle, quoteSingle, type SingleInput } from './single-payout.ts';

/** The error codes of a payout to one account, now or on a date. */
const SINGLE_ERRORS = [
  'PAYOUT_DUPLICATE',
  'REFERENCE_TAKEN',
  'PAYOUT_NOT_POSSIBLE',
  ...PAYMENT_ERRORS,
  ...NAME_ENQUIRY_ERRORS,
];

export function singlePayoutRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/payout/quote',
      {
        config: {
          access: { scope: 'payout:read', service: 'PAYOUT' },
          errorCodes: FEE_ERRORS,
        },
        schema: {
          tags: ['Payouts'],
          operationId: 'quotePayout',
          summary: 'Fee, VAT, duty and total before anything moves',
          description: 'What `POST /payout/single` would charge at this moment.',
          body: QuoteBody,
          response: answers(Success(QuoteSchema)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, async () =>
          quoteSingle(deps, parseAmount(request.body.amount), request.body.purpose),
        ),
    );
    app.post(
      '/payout/single',
      {
        config: {
          access: { scope: 'payout:write', service: 'PAYOUT', pin: true },
          errorCodes: SINGLE_ERRORS,
        },
        schema: {
          tags: ['Payouts'],
          operationId: 'createPayout',
          summary: 'Pay a bank account now',
          description:
            'The bank is asked for the name on the account first; then amount and charges are held and the payout is sent. Follow it with events or `GET /transaction/{transactionId}` until it is `conclusive`.',
          headers: ScenarioHeaders,
          body: PaySingleBody,
          response: answers(Success(PayoutSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => paySingle(deps, singleInput(request, request.body))),
    );
  };
}

/** The part of the input that both kinds of single payout have in common. */
function singleInput(request: FastifyRequest, body: Static<typeof PaySingleBody>): SingleInput {
  const { tenant } = request.principal;
  return {
    tenant,
    amountMinor: parseAmount(body.amount),
    bankCode: body.bankCode,
    accountNumber: body.accountNumber,
    narration: body.narration,
    phoneNumber: body.phoneNumber,
    reference: body.reference,
    purpose: body.purpose,
    metadata: metadataText(body.metadata, sourceOf(request, 'metadata')),
    scenario: scenarioOf(tenant.mode, request.headers[SCENARIO_HEADER]),
    maker: makerOf(request),
    allowDuplicate: body.allowDuplicate ?? false,
    idempotency: request.idempotency,
  };
}

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
        config: {
          access: { scope: 'payout:read' },
          errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'],
        },
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
        const found = await readSchedules(deps.database, tenant, wanted, {
          ...listRequest(query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.post(
      '/payout/single/schedule/cancel',
      {
        config: {
          access: { scope: 'payout:write' },
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
