import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Static } from 'typebox';
import { answerCommand } from '../access/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { takeDownload } from '../platform/exports.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { documentAnswers, sendStoredDocument } from '../platform/http/documents.ts';
import { acceptForms, takeForm } from '../platform/http/forms.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success, wordsOf } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { compileValidator } from '../platform/http/validation.ts';
import { listRequest } from '../platform/lists/list.ts';
import { acceptDispute } from './answer-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { evidenceBroken } from './errors.ts';
import {
  closeAll,
  contestDispute,
  FORM_LIMITS,
  MAX_FORM_BYTES,
  readEvidenceFile,
  takeEvidence,
} from './evidence-files.ts';
import { openSandboxDispute } from './open-sandbox-dispute.ts';
import type { DisputeFilter, DisputeStatus } from './queries.ts';
import {
  AcceptDisputeBody,
  DisputeCsvQuery,
  DisputeDetailSchema,
  DisputeFileParams,
  type DisputeFilterQuery,
  DisputePage,
  DisputeParams,
  DisputeSchema,
  EvidenceForm,
  ListDisputesQuery,
  OpenSandboxDisputeBody,
  OwedSchema,
  SandboxDisputeSchema,
} from './schemas.ts';
import { exportDisputes, readDispute, readDisputes, readOwed } from './views.ts';

const tags = ['Collections'];
/** Error codes of an answer. */
const ANSWER_ERRORS = [
  'DISPUTE_NOT_FOUND',
  'DISPUTE_NOT_OPEN',
  'DISPUTE_TOO_LATE',
  'DISPUTE_ANSWERED',
  'DISPUTE_ANSWERED_ELSEWHERE',
];

/** A merchant's disputes: what is wanted back, and the merchant's answers. */
export function disputeRoutes(deps: DisputeDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/collection/dispute',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listDisputes',
          summary: 'Disputes of your payments, newest first',
          description: 'Each is a payment that a payer’s bank wants back, with the time that is left to answer.',
          querystring: ListDisputesQuery,
          response: answers(Success(DisputePage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const page = await readDisputes(database, principal.tenant, filterOf(query), {
          ...listRequest(query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/owed',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags,
          operationId: 'getOwedAfterDisputes',
          summary: 'What you owe after disputes',
          description:
            'What disputes took beyond what your wallets had. Money that comes in pays it, the oldest first.',
          response: answers(Success(OwedSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readOwed(database, request.principal.tenant))),
    );
    app.get(
      '/collection/dispute.csv',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags,
          operationId: 'downloadDisputes',
          summary: 'Disputes of your payments, as CSV',
          description: 'All that match, in the order of the list, amounts in naira.',
          querystring: DisputeCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const how = { columns: query.columns, gone: goneSignal(reply) };
        return sendExport(
          reply,
          'disputes.csv',
          await exportDisputes(database, principal.tenant, filterOf(query), how),
        );
      },
    );
    app.get(
      '/collection/dispute/:disputeId',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['DISPUTE_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getDispute',
          summary: 'One dispute, with what was said and what became of the money',
          description: 'What the provider said, what was answered, and what later money paid of what is owed.',
          params: DisputeParams,
          response: answers(Success(DisputeDetailSchema)),
        },
      },
      async (request, reply) => {
        const found = await readDispute(deps, request.principal.tenant, request.params.disputeId);
        return sendAnswer(reply, success('Success', found));
      },
    );
    await addRoutes(app, answerRoutes(deps));
    await app.register(evidenceRoutes(deps));
  };
}

function filterOf(query: DisputeFilterQuery): DisputeFilter {
  return { statuses: wordsOf<DisputeStatus>(query.status), paymentId: query.paymentId, ...parsePeriod(query) };
}

/** Who answers: a person, or a key. */
const makerOf = ({ principal: { member, keyId } }: FastifyRequest) => member?.personId ?? keyId;

function answerRoutes(deps: DisputeDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/collection/dispute/:disputeId/accept',
      {
        config: { access: { scope: 'collection:write', pin: true }, errorCodes: ANSWER_ERRORS },
        schema: {
          tags,
          operationId: 'acceptDispute',
          summary: 'Accept a dispute: the payer gets the amount',
          description:
            'The provider is notified at once. The money is taken when it says that the dispute is accepted: `dispute.accepted`.',
          params: DisputeParams,
          body: AcceptDisputeBody,
          response: answers(Success(DisputeSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => {
          const { disputeId } = request.params;
          const { tenant } = request.principal;
          const madeBy = makerOf(request);
          return acceptDispute(deps, { tenant, disputeId, madeBy, idempotency: request.idempotency });
        }),
    );
    app.post(
      '/sandbox/collection/dispute',
      {
        config: {
          access: { scope: 'sandbox:write' },
          errorCodes: ['INBOUND_PAYMENT_NOT_FOUND', 'SANDBOX_ONLY'],
        },
        schema: {
          tags: ['Sandbox'],
          operationId: 'openSandboxDispute',
          summary: 'Dispute a sandbox payment, as a payer’s bank would',
          description:
            'Only in sandbox mode. The dispute comes by the bank’s webhook; what becomes of an answer is as the scenario says, and ' +
            'the sandbox’s clock brings the end of the time nearer.',
          body: OpenSandboxDisputeBody,
          response: answers(Success(SandboxDisputeSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => {
          const { amount, ...given } = request.body;
          return openSandboxDispute(deps, {
            ...given,
            tenant: request.principal.tenant,
            amountMinor: amount === undefined ? undefined : parseAmount(amount),
            idempotency: request.idempotency,
          });
        }),
    );
  };
}

/** A form is validated by its handler, everything else as everywhere. */
const exceptTheForm: FastifySchemaCompiler<unknown> = (route) =>
  route.httpPart === 'body' ? () => true : compileValidator(route as Parameters<typeof compileValidator>[0]);

async function contest(deps: DisputeDeps, request: FastifyRequest<{ Params: Static<typeof DisputeParams> }>) {
  if (!request.isMultipart()) throw evidenceBroken();
  const { tenant } = request.principal;
  const sent = await takeForm(request, FORM_LIMITS, (parts) =>
    takeEvidence(parts, (bytes, limits) => deps.uploads.spool(tenant.merchantId, bytes, limits)),
  );
  try {
    return await contestDispute(deps, {
      tenant,
      disputeId: request.params.disputeId,
      madeBy: makerOf(request),
      idempotency: request.idempotency,
      sent,
      bindKey(key) {
        request.idempotency = key;
      },
    });
  } finally {
    await closeAll(sent);
  }
}

/** Forms have a scope of their own, because they are read in their own way. */
function evidenceRoutes(deps: DisputeDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/collection/dispute/:disputeId/evidence',
      {
        config: {
          access: { scope: 'collection:write' },
          errorCodes: [
            ...ANSWER_ERRORS,
            'DISPUTE_EVIDENCE_MISSING',
            'DISPUTE_UPLOAD_BROKEN',
            'DISPUTE_FILES_TOO_MANY',
            'DISPUTE_FILE_TOO_LARGE',
            'DISPUTE_FILE_TYPE_REFUSED',
            'UPLOADS_BUSY',
          ],
        },
        bodyLimit: MAX_FORM_BYTES,
        // A form is validated by the handler that reads it.
        validatorCompiler: exceptTheForm,
        schema: {
          tags,
          operationId: 'sendDisputeEvidence',
          summary: 'Contest a dispute with evidence',
          description:
            'Words and files as multipart/form-data. They are sent to the provider at once; `dispute.evidence_sent` says that it has them.',
          params: DisputeParams,
          body: { content: { 'multipart/form-data': { schema: EvidenceForm } } },
          response: answers(Success(DisputeSchema)),
        },
      },
      (request, reply) => answerCommand(deps.ledger, request, reply, () => contest(deps, request)),
    );
    app.get(
      '/collection/dispute/:disputeId/file/:fileId',
      {
        config: {
          access: { scope: 'collection:read', audit: 'PERSONAL_DATA' },
          errorCodes: ['DISPUTE_NOT_FOUND', 'UPLOADS_BUSY', 'EXPORTS_BUSY'],
        },
        schema: {
          tags,
          operationId: 'downloadDisputeFile',
          summary: 'A file of the evidence, as it was uploaded',
          description: 'To save: it is opened by no page of ours.',
          params: DisputeFileParams,
          response: documentAnswers,
        },
      },
      async (request, reply) =>
        sendStoredDocument(reply, takeDownload(deps.database, request.principal.tenant.merchantId), () =>
          readEvidenceFile(deps, request.principal.tenant, request.params),
        ),
    );
  };
}
