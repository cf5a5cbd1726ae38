import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type Static, Type } from 'typebox';
import { answerCommand } from '../access/index.ts';
import { BatchParams } from '../batches/index.ts';
import type { CommitResult } from '../ledger/index.ts';
import { type PayoutDeps, SCENARIO_HEADER, ScenarioHeaders, scenarioOf } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { sendDocument } from '../platform/http/documents.ts';
import { acceptForms, lettingTheRestThrough, takeForm } from '../platform/http/forms.ts';
import { acceptStreamedJson, bodyMissing, bodyTooLarge, STREAMED_BODY } from '../platform/http/json-body.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { compileValidator } from '../platform/http/validation.ts';
import { RAIL_ERRORS } from '../rail-accounts/index.ts';
import { csvTemplate, readRejectedCsv, readResultCsv, workbookTemplate } from './downloads.ts';
import {
  FORM_LIMITS,
  MAX_BODY_BYTES,
  previewForm,
  previewItems,
  previewJson,
  receiveForm,
  receiveItems,
  receiveJson,
  type Sender,
  type Viewer,
} from './receive-batch.ts';
import { CreateBatchBody, CreatedBatchSchema, PreviewSchema, UploadForm } from './schemas.ts';

/** A body up to this length is parsed and validated on the main thread: about 500 items, in a millisecond. */
const PARSED_AT_ONCE_BYTES = 64 * 1024;

/** Errors that prevent a list from being read at all. */
const READING_ERRORS = [
  'FILE_MISSING',
  'FILES_TOO_MANY',
  'UPLOAD_BROKEN',
  'FILE_EMPTY',
  'FILE_TOO_LARGE',
  'FILE_KIND_UNSUPPORTED',
  'FILE_ENCODING_UNKNOWN',
  'FILE_CELL_REFUSED',
  'FILE_DAMAGED',
  'FILE_TOO_MANY_ROWS',
  'FILE_TOO_MANY_COLUMNS',
  'FILE_TOO_COMPLEX',
  'BODY_NOT_UTF8',
  'UPLOADS_BUSY',
  'DISK_FULL',
];

/** The operations that take long lists. They have a scope of their own, because they read bodies in their own way. */
export function intakeRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app, 'The body must be JSON or a form: application/json or multipart/form-data.');
    acceptStreamedJson(app, PARSED_AT_ONCE_BYTES);
    app.post(
      '/payout/bulk',
      {
        config: {
          access: { scope: 'payout:write', service: 'PAYOUT' },
          errorCodes: [
            ...READING_ERRORS,
            'FILE_SHEET_UNCLEAR',
            'FILE_HEADER_WRONG',
            'FILE_MAPPING_NEEDED',
            'BATCH_CONTROL_MISMATCH',
            'UPLOAD_ABANDONED',
            ...RAIL_ERRORS,
          ],
        },
        bodyLimit: MAX_BODY_BYTES,
        validatorCompiler: compileUnlessStreamed,
        schema: {
          tags: ['Bulk payouts'],
          operationId: 'createBulkPayout',
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
    app.post(
      '/payout/bulk/preview',
      {
        // Nothing is stored, so there is no answer to keep under a key.
        config: {
          idempotent: false,
          access: { scope: 'payout:write', service: 'PAYOUT' },
          errorCodes: READING_ERRORS,
        },
        bodyLimit: MAX_BODY_BYTES,
        validatorCompiler: compileUnlessStreamed,
        schema: {
          tags: ['Bulk payouts'],
          operationId: 'previewBulkPayout',
          summary: 'How a list would be read, and all that is wrong with it',
          description:
            'Takes what `POST /payout/bulk` takes, makes nothing of it and asks no bank. Settle with `sheet`, `mapping` and ' +
            '`defaults` what `problems` says is not clear, then send the same to `POST /payout/bulk`.',
          body: {
            content: {
              'application/json': { schema: CreateBatchBody },
              'multipart/form-data': { schema: UploadForm },
            },
          },
          response: answers(Success(PreviewSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, success('Success', await preview(deps, request))),
    );
  };
}

async function receive(deps: PayoutDeps, request: FastifyRequest): Promise<CommitResult> {
  const { tenant } = request.principal;
  const sender: Sender = {
    tenant,
    scenario: scenarioOf(tenant.mode, request.headers[SCENARIO_HEADER]),
    idempotency: request.idempotency,
    expectedBytes: lengthOf(request),
    bindKey(bound) {
      request.idempotency = bound;
    },
  };
  if (request.isMultipart()) return takeForm(request, FORM_LIMITS, (parts) => receiveForm(deps, sender, parts));
  if (request.body === undefined) throw bodyMissing();
  if (request.body !== STREAMED_BODY) {
    return receiveItems(deps, sender, request.body as Static<typeof CreateBatchBody>);
  }
  return lettingTheRestThrough(request, async () => {
    if ((sender.expectedBytes ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge();
    return receiveJson(deps, sender, request.raw);
  });
}

async function preview(deps: PayoutDeps, request: FastifyRequest) {
  const viewer: Viewer = { tenant: request.principal.tenant, expectedBytes: lengthOf(request) };
  if (request.isMultipart()) return takeForm(request, FORM_LIMITS, (parts) => previewForm(deps, viewer, parts));
  if (request.body === undefined) throw bodyMissing();
  if (request.body !== STREAMED_BODY) {
    return previewItems(deps, viewer, request.body as Static<typeof CreateBatchBody>);
  }
  return lettingTheRestThrough(request, async () => {
    if ((viewer.expectedBytes ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge();
    return previewJson(deps, viewer, request.raw);
  });
}

function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** A form, and a body that is streamed, are validated by the handler that reads them. */
const compileUnlessStreamed: FastifySchemaCompiler<object> = (route) => {
  if (route.schema === UploadForm) return () => true;
  const validate = compileValidator(route);
  return (data: unknown) => data === STREAMED_BODY || validate(data);
};

const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const workbookAnswers = {
  200: {
    description: 'An Excel workbook.',
    content: { [WORKBOOK_TYPE]: { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) } },
  },
};

const tags = ['Bulk payouts'];
const access = { scope: 'payout:read' } as const;
/** The files that a clerk opens in a spreadsheet again. */
export function downloadRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/template.csv',
      {
        config: { access },
        schema: {
          tags,
          operationId: 'downloadBulkTemplateCsv',
          summary: 'An empty list to fill in, as CSV',
          description: 'With the columns of your last file, or the standard ones before the first.',
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const content = await csvTemplate(deps.database, request.principal.tenant);
        return reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="bulk-payout-template.csv"')
          .send(content);
      },
    );
    app.get(
      '/payout/bulk/template.xlsx',
      {
        config: { access },
        schema: {
          tags,
          operationId: 'downloadBulkTemplateWorkbook',
          summary: 'An empty list to fill in, as an Excel workbook',
          description: 'As the CSV template; account numbers are texts in it, so that they keep their leading zeros.',
          response: workbookAnswers,
        },
      },
      async (request, reply) => {
        const content = await workbookTemplate(deps.database, request.principal.tenant);
        return sendDocument(reply, { fileName: 'bulk-payout-template.xlsx', contentType: WORKBOOK_TYPE, content });
      },
    );
    app.get(
      '/payout/bulk/:batchReference/rejected.csv',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND', 'EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags,
          operationId: 'downloadRejectedItems',
          summary: 'The items that cannot be paid, as CSV to correct and upload again',
          description: 'With a column that says what is wrong with each. Correct the file and upload it again.',
          params: BatchParams,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { batchReference } = request.params;
        const file = await readRejectedCsv(deps.database, request.principal.tenant, batchReference, goneSignal(reply));
        // The reference belongs to a batch, so it is only letters and digits.
        return sendExport(reply, `${batchReference}-rejected.csv`, file);
      },
    );
    app.get(
      '/payout/bulk/:batchReference/result.csv',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND', 'EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags,
          operationId: 'downloadBulkPayoutResult',
          summary: 'Every item and what became of it, as CSV',
          description: 'One row for each item, also while the payout is under way.',
          params: BatchParams,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { batchReference } = request.params;
        const file = await readResultCsv(deps.database, request.principal.tenant, batchReference, goneSignal(reply));
        return sendExport(reply, `${batchReference}-result.csv`, file);
      },
    );
  };
}
