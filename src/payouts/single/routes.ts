import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { answerCommand, answerQuestion } from '../../access/index.ts';
import { makerOf } from '../../approvals/index.ts';
import { NAME_ENQUIRY_ERRORS } from '../../bank-directory/index.ts';
import { FEE_ERRORS } from '../../fees/index.ts';
import { parseAmount } from '../../money/index.ts';
import { sourceOf } from '../../platform/http/json-body.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { metadataText } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { PAYMENT_ERRORS } from '../errors.ts';
import { SCENARIO_HEADER, scenarioOf } from '../scenario.ts';
import { PayoutSchema, ScenarioHeaders } from '../schemas.ts';
import type { SingleInput } from './new-single.ts';
import { paySingle } from './pay-single.ts';
import { quoteSingle } from './quote-single.ts';
import { PaySingleBody, QuoteBody, QuoteSchema } from './schemas.ts';

/** What a payout to one account may be refused with, now or on a date. */
export const SINGLE_ERRORS = ['PAYOUT_DUPLICATE', 'REFERENCE_TAKEN', ...PAYMENT_ERRORS, ...NAME_ENQUIRY_ERRORS];

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

/** What both kinds of single payout take from their request. */
export function singleInput(request: FastifyRequest, body: Static<typeof PaySingleBody>): SingleInput {
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
