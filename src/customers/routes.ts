import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { sourceOf } from '../platform/http/json-body.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { MAX_LONG_BODY_BYTES, sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { metadataText } from '../transactions/index.ts';
import { addCustomer, type CustomerDeps, changeCustomer } from './change-customer.ts';
import { customerView, exportCustomers, readCustomers, requireCustomer } from './read-customers.ts';
import {
  CreateCustomerBody,
  CustomerCsvQuery,
  CustomerPage,
  CustomerParams,
  CustomerSchema,
  ListCustomersQuery,
  UpdateCustomerBody,
} from './schemas.ts';

const tags = ['Customers'];
const read = { scope: 'collection:read' } as const;
const write = { scope: 'collection:write', service: 'COLLECTION' } as const;

export function customerRoutes(deps: CustomerDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/customer',
      {
        bodyLimit: MAX_LONG_BODY_BYTES,
        config: { access: write },
        schema: {
          tags,
          operationId: 'createCustomer',
          summary: 'Add a customer',
          description: 'Nothing is merged: the same name or e-mail address twice makes two customers.',
          body: CreateCustomerBody,
          response: answers(Success(CustomerSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => {
          const { metadata, ...fields } = request.body;
          return addCustomer(deps, {
            tenant: request.principal.tenant,
            fields,
            metadata: metadataText(metadata, sourceOf(request, 'metadata')),
            idempotency: request.idempotency,
          });
        }),
    );
    app.get(
      '/customer',
      {
        config: { access: read, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listCustomers',
          summary: 'Customers, newest first',
          description: 'A search finds those whose name or e-mail address begins with it.',
          querystring: ListCustomersQuery,
          response: answers(Success(CustomerPage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const page = await readCustomers(deps.database, principal.tenant, query.search, {
          ...listRequest(query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/customer.csv',
      {
        config: { access: read, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags,
          operationId: 'downloadCustomers',
          summary: 'Customers, as CSV',
          description: 'All that match, newest first. Phone numbers are text.',
          querystring: CustomerCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const file = await exportCustomers(deps.database, principal.tenant, query.search, goneSignal(reply));
        return sendExport(reply, 'customers.csv', file);
      },
    );
    app.get(
      '/customer/:customerId',
      {
        config: { access: read, errorCodes: ['CUSTOMER_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getCustomer',
          summary: 'One customer',
          description:
            'What they were asked to pay is in the list of payment sessions, what they paid in that of payments in, and their account numbers in that of accounts, each by customerId.',
          params: CustomerParams,
          response: answers(Success(CustomerSchema)),
        },
      },
      async (request, reply) => {
        const row = await requireCustomer(deps.database, request.principal.tenant, request.params.customerId);
        return sendAnswer(reply, success('Success', customerView(row)));
      },
    );
    await addRoutes(app, changeRoutes(deps));
  };
}

function changeRoutes(deps: CustomerDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/customer/:customerId',
      {
        bodyLimit: MAX_LONG_BODY_BYTES,
        config: { access: write, errorCodes: ['CUSTOMER_NOT_FOUND', 'CUSTOMER_CHANGED'] },
        schema: {
          tags,
          operationId: 'updateCustomer',
          summary: 'Change a customer',
          description: 'What is left out stays. Sessions keep the name and address that they were opened with.',
          params: CustomerParams,
          body: UpdateCustomerBody,
          response: answers(Success(CustomerSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => {
          const { metadata, ...fields } = request.body;
          return changeCustomer(deps, {
            tenant: request.principal.tenant,
            customerId: request.params.customerId,
            fields,
            metadata: metadata === undefined ? undefined : metadataText(metadata, sourceOf(request, 'metadata')),
            idempotency: request.idempotency,
          });
        }),
    );
  };
}
