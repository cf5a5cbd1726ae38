import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { makerOf } from '../approvals/index.ts';
import { NAME_ENQUIRY_ERRORS } from '../bank-directory/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { addBeneficiary, type BeneficiaryDeps } from './add-beneficiary.ts';
import { readBeneficiaries, removeBeneficiary } from './beneficiaries.ts';
import {
  AddBeneficiaryBody,
  BeneficiaryPage,
  BeneficiaryParams,
  BeneficiarySchema,
  ListBeneficiariesQuery,
} from './schemas.ts';

const ADD_ERRORS = ['BENEFICIARY_EXISTS', ...NAME_ENQUIRY_ERRORS, 'APPROVAL_RULES_CHANGED'];
const REMOVE_ERRORS = [
  'BENEFICIARY_NOT_FOUND',
  'BENEFICIARY_ALREADY_REMOVED',
  'APPROVAL_MOVED_ON',
  'APPROVAL_SUBJECT_ALTERED',
];

const tags = ['Beneficiaries'];
const read = { scope: 'payout:read', service: 'PAYOUT' } as const;
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;

export function beneficiaryRoutes(deps: BeneficiaryDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/beneficiary',
      {
        config: { access: read },
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
        const page = await readBeneficiaries(deps.database, principal.tenant, query.search, listRequest(query));
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
          access: write,
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
  };
}
