import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Static } from 'typebox';
import { answerCommand } from '../../../access/index.ts';
import type { CommitResult } from '../../../ledger/index.ts';
import { acceptStreamedJson, bodyTooLarge, STREAMED_BODY } from '../../../platform/http/json-body.ts';
import { answers, Success } from '../../../platform/http/schemas.ts';
import { compileValidator, validationError } from '../../../platform/http/validation.ts';
import type { PayoutDeps } from '../../deps.ts';
import { SCENARIO_HEADER, scenarioOf } from '../../scenario.ts';
import { ScenarioHeaders } from '../../schemas.ts';
import { MAX_BODY_BYTES, receiveForm, receiveItems, receiveJson, type Sender } from './receive-batch.ts';
import { CreateBatchBody, CreatedBatchSchema, UploadForm } from './schemas.ts';
import { FORM_LIMITS, type FormPart } from './take-upload.ts';

/** A body up to this is parsed and validated where it comes in: about 8,000 items, a few milliseconds. */
const PARSED_AT_ONCE_BYTES = 1024 * 1024;

/** The one operation that takes long lists. It has a scope of its own, because it reads bodies in its own way. */
export function intakeRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(multipart, { throwFileSizeLimit: false });
    acceptStreamedJson(app, PARSED_AT_ONCE_BYTES);
    app.post(
      '/payout/bulk',
      {
        config: { access: { scope: 'payout:write', service: 'PAYOUT' } },
        bodyLimit: MAX_BODY_BYTES,
        validatorCompiler: compileUnlessStreamed,
        schema: {
          tags: ['Bulk payouts'],
          summary: 'Make a bulk payout; its items are validated in the background',
          description:
            'From JSON, or from a CSV file or Excel workbook as multipart/form-data. Rows that cannot be paid are kept and ' +
            'shown invalid, with the reason.',
          headers: ScenarioHeaders,
          body: {
            content: {
              'application/json': { schema: CreateBatchBody },
              'multipart/form-data': { schema: UploadForm },
            },
          },
          response: answers(Success(CreatedBatchSchema)),
        },
      },
      (request, reply) => answerCommand(deps.ledger, request, reply, () => receive(deps, request)),
    );
  };
}

async function receive(deps: PayoutDeps, request: FastifyRequest): Promise<CommitResult> {
  const { tenant } = request.principal;
  const sender: Sender = {
    tenant,
    scenario: scenarioOf(tenant.mode, request.headers[SCENARIO_HEADER]),
    idempotency: request.idempotency,
    bindKey(bound) {
      request.idempotency = bound;
    },
  };
  const isForm = request.isMultipart();
  if (!isForm && request.body !== STREAMED_BODY) {
    return receiveItems(deps, sender, request.body as Static<typeof CreateBatchBody>);
  }
  try {
    if (isForm) {
      return await receiveForm(deps, sender, request.parts({ limits: FORM_LIMITS }) as AsyncIterable<FormPart>);
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge();
    return await receiveJson(deps, sender, request.raw);
  } catch (error) {
    // Who is still sending does not listen yet: the rest is let through, so that the refusal is heard.
    request.raw.unpipe();
    request.raw.resume();
    throw error;
  }
}

/** A form, and a body that is still to come, are looked at by whoever takes them in. */
const compileUnlessStreamed: FastifySchemaCompiler<object> = (route) => {
  if (route.schema === UploadForm) return () => true;
  const validate = compileValidator(route) as ((data: unknown) => boolean) & { errors?: never[] };
  return (data: unknown) => {
    if (data === STREAMED_BODY || validate(data)) return true;
    return { error: validationError(validate.errors ?? []) };
  };
};
