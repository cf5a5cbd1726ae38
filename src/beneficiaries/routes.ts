import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { makerOf } from '../approvals/index.ts';
import { NAME_ENQUIRY_ERRORS } from '../bank-directory/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { type TransactionDetails, TransactionSchema } from '../transactions/index.ts';
import { addBeneficiary, type BeneficiaryDeps, removeBeneficiary } from './beneficiary.ts';
import {
  AddBeneficiaryBody,
  BeneficiaryDetailSchema,
  BeneficiaryPage,
  BeneficiaryParams,
  BeneficiaryPayoutsQuery,
  BeneficiarySchema,
  ListBeneficiariesQuery,
} from './schemas.ts';
import { readBeneficiaries, readBeneficiary, readBeneficiaryPayouts } from './views.ts';

const ADD_ERRORS = ['BENEFICIARY_EXISTS', ...NAME_ENQUIRY_ERRORS, 'APPROVAL_RULES_CHANGED'];
const REMOVE_ERRORS = [
  'BENEFICIARY_NOT_FOUND',
  'BENEFICIARY_ALREADY_REMOVED',
  'APPROVAL_MOVED_ON',
  'APPROVAL_SUBJECT_ALTERED',
];

const tags = ['Beneficiaries'];
const read = { scope: 'payout:read' } as const;
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;

type BeneficiaryRouteDeps = BeneficiaryDeps & { payoutDetails: TransactionDetails };

export function beneficiaryRoutes(deps: BeneficiaryRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/beneficiary',
      {
        config: { access: read, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listBeneficiaries',
          summary: 'List saved accounts by name',
          description: 'Those that are active or wait for approval.',
          querystring: ListBeneficiariesQuery,
          response: answers(Success(BeneficiaryPage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const page = await readBeneficiaries(deps.database, principal.tenant, query.search, {
          ...listRequest(query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.post(
      '/beneficiary',
      {
        config: {
          access: write,
          errorCodes: ADD_ERRORS,
        },
        schema: {
          tags,
          operationId: 'createBeneficiary',
          summary: 'Save an account with the name that its bank gives',
          description: 'The bank is asked for the name on the account. With approvals it waits for them first.',
          body: AddBeneficiaryBody,
          response: answers(Success(BeneficiarySchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { bankCode, accountNumber, nickname } = request.body;
          return addBeneficiary(deps, {
            tenant: request.principal.tenant,
            maker: makerOf(request),
            bankCode,
            accountNumber,
            nickname: nickname ?? null,
            idempotency: request.idempotency,
          });
        }),
    );
    app.delete(
      '/beneficiary/:beneficiaryId',
      {
        config: {
          access: { scope: 'payout:write' },
          errorCodes: REMOVE_ERRORS,
        },
        schema: {
          tags,
          operationId: 'deleteBeneficiary',
          summary: 'Remove a saved account',
          description: 'Payouts that were made to it stay as they are.',
          params: BeneficiaryParams,
          response: answers(Success(BeneficiarySchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          removeBeneficiary(deps, {
            tenant: request.principal.tenant,
            beneficiaryId: request.params.beneficiaryId,
            idempotency: request.idempotency,
          }),
        ),
    );
    await addRoutes(app, oneBeneficiaryRoutes(deps));
  };
}

function oneBeneficiaryRoutes(deps: BeneficiaryRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/beneficiary/:beneficiaryId',
      {
        config: { access: read, errorCodes: ['BENEFICIARY_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getBeneficiary',
          summary: 'One saved account, with what was paid to it',
          description: 'Everything that was paid to the account counts, also what was paid without the saved account.',
          params: BeneficiaryParams,
          response: answers(Success(BeneficiaryDetailSchema)),
        },
      },
      async (request, reply) => {
        const { params, principal } = request;
        const beneficiary = await readBeneficiary(deps.database, principal.tenant, params.beneficiaryId);
        return sendAnswer(reply, success('Success', beneficiary));
      },
    );
    app.get(
      '/beneficiary/:beneficiaryId/payout',
      {
        config: { access: read, errorCodes: ['BENEFICIARY_NOT_FOUND', 'SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listBeneficiaryPayouts',
          summary: 'Payouts to a saved account, newest first',
          description: 'However they were made: one by one, scheduled or with a batch, before and after it was saved.',
          params: BeneficiaryParams,
          querystring: BeneficiaryPayoutsQuery,
          response: answers(Success(ListPage(TransactionSchema))),
        },
      },
      async (request, reply) => {
        const { params, principal, query } = request;
        const page = await readBeneficiaryPayouts(deps, principal.tenant, params.beneficiaryId, listRequest(query));
        return sendAnswer(reply, success('Success', page));
      },
    );
  };
}
