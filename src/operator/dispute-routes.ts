import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DISPUTE_ENDS } from '../dispute-proposals/index.ts';
import { dismissReported, noteLookedInto, readReported } from '../disputes/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import type { OperatorDeps } from './deps.ts';
import { DisputeProposalSchema } from './dispute-proposal-schemas.ts';
import { readOperatorDispute, readOperatorDisputes, reportedDisputeView } from './dispute-views.ts';
import { DONE, Done, ModeName, OneOf, Reason } from './schemas.ts';

const TAGS = ['Operator: money in'];
const Query = Type.Object({ mode: Type.Optional(ModeName()), ...listQuery() }, { additionalProperties: false });

const OperatorDisputeSchema = Named(
  'OperatorDispute',
  Type.Object({
    disputeId: Uuid(),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    paymentId: Uuid(),
    mode: ModeName(),
    rail: Type.String({ description: 'The provider account.' }),
    providerDisputeId: Type.String(),
    source: OneOf(['PROVIDER', 'OPERATOR'] as const, 'OPERATOR: two people entered it.'),
    category: Type.String({ examples: ['CHARGEBACK'] }),
    status: Type.String({ examples: ['OPEN'] }),
    operatorReason: Nullable(
      Type.String({ description: 'Why somebody has to look at it.', examples: ['WON_AFTER_END'] }),
    ),
    amount: Money('What is wanted back.'),
    disputed: Money('What of it may be taken.'),
    held: Money('What of that is held in the wallet; zero once it has ended.'),
    owed: Money('What the merchant still owes after it.'),
    answerStatus: Nullable(Type.String()),
    dueAt: Nullable(DateTime()),
    openedAt: DateTime(),
  }),
);

const DisputeCaseSchema = Named(
  'DisputeCase',
  Type.Object({
    dispute: OperatorDisputeSchema,
    message: Nullable(Type.String({ description: 'What the payer says.' })),
    reason: Nullable(Type.String({ description: 'Why it was lost.', examples: ['NOT_ANSWERED_IN_TIME'] })),
    taken: Money('What was taken from the wallet.'),
    loss: Money('What the wallet did not have.'),
    endedAt: Nullable(DateTime()),
    isDecidedByPeople: Type.Boolean({
      description: 'Its provider cannot be asked, or says what is not understood: two people say how it ends.',
    }),
    outcomes: Type.Array(OneOf(DISPUTE_ENDS), {
      description: 'What two people may say of its end now. LOST alone: it was won, and is lost after all.',
    }),
    lookedInto: Nullable(Type.Object({ note: Type.String(), by: Nullable(Type.String()), at: DateTime() })),
    payment: Nullable(
      Type.Object({
        amount: Money('What was paid.'),
        status: Type.String({ examples: ['CREDITED'] }),
        providerTransactionId: Type.String({ description: 'With this the provider finds the payment.' }),
        payerName: Nullable(Type.String()),
      }),
    ),
    reports: Type.Array(
      Type.Object({
        source: OneOf(['WEBHOOK', 'POLL', 'CHECK', 'OPERATOR'] as const),
        state: Type.String({ examples: ['OPEN'], description: 'UNLISTED: the provider said what is not listed.' }),
        said: Nullable(Type.String({ description: 'The words of the provider, where they are not listed.' })),
        code: Nullable(Type.String()),
        receivedAt: DateTime(),
      }),
      { description: 'What the provider, or two people, said, in order.' },
    ),
    answers: Type.Array(
      Type.Object({
        answerId: Uuid(),
        action: OneOf(['ACCEPT', 'CONTEST'] as const),
        status: OneOf(['QUEUED', 'SENT', 'REFUSED'] as const),
        reason: Nullable(Type.String()),
        files: Type.Integer({ description: 'How many files it has.' }),
        madeAt: DateTime(),
      }),
      { description: 'What the merchant answered.' },
    ),
    proposals: Type.Array(DisputeProposalSchema, { description: 'Newest first, decided ones among them.' }),
  }),
);

const ReportedDisputeSchema = Named(
  'ReportedDispute',
  Type.Object({
    rail: Type.String({ description: 'The provider account.' }),
    providerDisputeId: Type.String(),
    mode: ModeName(),
    status: Type.String({ description: 'NO_PAYMENT: it is of no payment of ours. CONTRADICTED: `reason` says why.' }),
    reason: Nullable(Type.String()),
    reported: Nullable(Type.String({ description: 'JSON: the dispute as the provider has it.' })),
    firstSeenAt: DateTime(),
  }),
);

const LookedBody = Type.Object(
  { merchantId: Uuid(), mode: ModeName(), disputeId: Uuid(), note: Reason() },
  { additionalProperties: false },
);

const DismissBody = Type.Object(
  {
    rail: Type.String({ minLength: 1, maxLength: 60, examples: ['paystack'], description: 'The provider account.' }),
    providerDisputeId: VisibleText({ minLength: 1, maxLength: 200, examples: ['358950'] }),
    note: Reason(),
  },
  { additionalProperties: false },
);

/** Disputes of all merchants, and those that are of no payment of ours. */
export function disputeRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/dispute',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listOperatorDisputes',
          summary: 'Disputes that run or have to be looked at, of all merchants, what is due first first',
          querystring: Query,
          response: answers(Success(ListPage(OperatorDisputeSchema))),
        },
      },
      async (request, reply) => {
        const page = await readOperatorDisputes(deps, request.query.mode, listRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/operator/merchant/:merchantId/dispute/:disputeId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getOperatorDispute',
          summary: 'All that is known of a dispute: its payment, what was said and answered, and every proposal',
          params: Type.Object({ merchantId: Uuid(), disputeId: Uuid() }),
          querystring: Type.Object({ mode: ModeName() }, { additionalProperties: false }),
          response: answers(Success(DisputeCaseSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, disputeId } = request.params;
        const asked = {
          tenant: { merchantId, mode: request.query.mode },
          disputeId,
          personId: request.operator.personId,
        };
        return sendAnswer(reply, success('Success', await readOperatorDispute(deps, asked)));
      },
    );
    app.get(
      '/operator/dispute/reported',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listReportedDisputes',
          summary: 'Disputes that are of no payment of ours, or not what they seem',
          querystring: Query,
          response: answers(Success(ListPage(ReportedDisputeSchema))),
        },
      },
      async (request, reply) => {
        const found = await readReported(deps.database, request.query.mode, listRequest(request.query));
        return sendAnswer(reply, success('Success', listView(found, reportedDisputeView)));
      },
    );
    app.post(
      '/operator/dispute/reported/dismiss',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'dismissReportedDispute',
          summary: 'Note what was found out about a dispute that is of no payment of ours',
          body: DismissBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        await dismissReported(deps, { ...request.body, personId: request.operator.personId });
        return sendAnswer(reply, success('It waits for nobody any more', DONE));
      },
    );
    await addRoutes(app, lookedIntoRoutes(deps));
  };
}

function lookedIntoRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/dispute/looked-into',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'noteDisputeLookedInto',
          summary: 'Note what was found out about a dispute whose end its provider contradicts; nothing moves',
          body: LookedBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...noted } = request.body;
        await noteLookedInto(deps, { ...noted, tenant: { merchantId, mode }, personId: request.operator.personId });
        return sendAnswer(reply, success('Nobody has to look at it any more', DONE));
      },
    );
  };
}
