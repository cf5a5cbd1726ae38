import { Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import { DateTime, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';

export const RequestLogQuery = Type.Object(
  {
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5](xx|\\d\\d)$',
        examples: ['4xx'],
        description: 'A status or a class of them.',
        'x-hint': 'must be a status such as 422, or a class such as 4xx',
      }),
    ),
    keyId: Type.Optional(Uuid('Only what came with this key or a token of it.')),
    ...PeriodQuery,
    ...listQuery(),
  },
  { additionalProperties: false },
);

const RequestSchema = Named(
  'Request',
  Type.Object({
    requestId: Type.String({ description: 'As in X-Request-Id.' }),
    at: DateTime(),
    method: Type.String({ examples: ['POST'] }),
    path: Type.String({ description: 'The operation.', examples: ['/payout/single'] }),
    url: Type.String({ description: 'The address; values that might be secret are left out.' }),
    status: Type.Integer({ examples: [422] }),
    code: Nullable(Type.String({ examples: ['INSUFFICIENT_FUNDS'] })),
    durationMs: Type.Integer(),
    keyId: Uuid(),
    keyName: Nullable(Type.String()),
    keyLastFour: Nullable(Type.String()),
    ip: Type.String(),
  }),
);

export const RequestLogPage = Type.Interface([ListPage(RequestSchema)], {
  leftOut: Type.Integer({
    description: 'Requests of the period that are not listed: at most 50 a second are, and those of the last week.',
  }),
});
