import { Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import { DateTime, Named, Nullable, ONE_FIELD, Uuid } from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { MAX_KEEP_DAYS } from './forget-requests.ts';
import { PERIODS } from './rates.ts';

const filters = {
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](xx|\\d\\d)$',
      examples: ['4xx'],
      description: 'A status or a class of them.',
      'x-hint': 'must be a status such as 422, or a class such as 4xx',
    }),
  ),
  keyId: Type.Optional(Uuid('Only what came with this key or a token of it.')),
  method: Type.Optional(Type.Enum(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD'])),
  path: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^/',
      'x-hint': 'must begin with /, such as /payout/single',
      description: 'The operation.',
      examples: ['/payout/single'],
    }),
  ),
  code: Type.Optional(
    Type.String({
      pattern: '^([A-Z][A-Z0-9_]{0,79})?$',
      description: 'The code of a refusal; empty for answers without one.',
      examples: ['INSUFFICIENT_FUNDS'],
      'x-hint': 'must be a code such as INSUFFICIENT_FUNDS',
    }),
  ),
};

export const RequestLogQuery = Type.Object(
  { ...filters, ...PeriodQuery, ...listQuery() },
  { additionalProperties: false },
);

/** The list that a request was opened from: its neighbours are those of that list. */
export const RequestNeighboursQuery = Type.Object({ ...filters, ...PeriodQuery }, { additionalProperties: false });

export const RequestParams = Type.Object({
  requestId: Type.String({
    pattern: '^[\\w-]{1,60}$',
    description: 'As in X-Request-Id.',
    'x-hint': 'must be a request id',
  }),
});

const request = {
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
  idempotencyKey: Nullable(Type.String({ description: 'That the request carried; null where it carried none.' })),
  replayed: Type.Boolean({ description: 'The answer was that of an earlier request with the same key.' }),
  about: Nullable(
    Type.Object(
      { field: Type.String({ examples: ['transactionId'] }), id: Type.String() },
      {
        description: 'What was made or changed, as the answer named it.',
      },
    ),
  ),
};

const RequestSchema = Named('Request', Type.Object(request));

const body = (description: string) =>
  Type.Object(
    {
      kept: Type.Enum(['FULL', 'CUT', 'SIZE', 'NONE'], {
        description: 'CUT: the beginning alone. SIZE: no JSON, or too large: only its size. NONE: there was none.',
      }),
      text: Nullable(Type.String({ description: 'JSON, without what is secret or personal.' })),
      bytes: Type.Integer({ description: 'As it went over the line.' }),
    },
    { description },
  );

const RelatedEvent = Type.Object({ sequence: Type.Integer(), type: Type.String(), eventId: Uuid() });

export const RequestDetailSchema = Named(
  'RequestDetail',
  Type.Object({
    ...request,
    meaning: Nullable(Type.String({ description: 'Of the code, as the catalogue of errors has it.' })),
    bodies: Nullable(
      Type.Object(
        { request: body('What was sent.'), answer: body('What was answered.') },
        { description: 'Null where they were not kept: switched off, had their days, or too many at once.' },
      ),
    ),
    events: Type.Array(RelatedEvent, { description: 'That the request caused; twenty at most.' }),
    newer: Nullable(Type.String({ description: 'The request after this one, in the same list.' })),
    older: Nullable(Type.String({ description: 'The request before this one, in the same list.' })),
  }),
);

export const BodySettingsSchema = Named(
  'RequestBodySettings',
  Type.Object({
    keepBodies: Type.Boolean({ description: 'Whether bodies of requests and answers are kept in this mode.' }),
    keepDays: Type.Integer({ description: 'For how many days.' }),
  }),
);

export const BodySettingsBody = Type.Object(
  {
    keepBodies: Type.Optional(Type.Boolean()),
    keepDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_KEEP_DAYS, 'x-hint': `must be from 1 to ${MAX_KEEP_DAYS} days` }),
    ),
  },
  { additionalProperties: false, minProperties: 1, 'x-hint': ONE_FIELD },
);

export const RatesQuery = Type.Object(
  { period: Type.Optional(Type.Enum([...PERIODS], { default: '24h', description: 'How far back.' })) },
  { additionalProperties: false },
);

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const figures = {
  requests: Type.Integer(),
  refused: Type.Integer({ description: 'Answered 4xx.' }),
  failed: Type.Integer({ description: 'Answered 5xx.' }),
  refusedShare: share('Of the requests, from 0 to 1.'),
  failedShare: share('Of the requests, from 0 to 1.'),
  p50Ms: Nullable(Type.Integer({ description: 'Half of the requests took no longer, to the next step of a scale.' })),
  p95Ms: Nullable(Type.Integer({ description: 'Nineteen of twenty took no longer.' })),
};

export const RatesSchema = Named(
  'RequestRates',
  Type.Object({
    period: Type.Enum([...PERIODS]),
    since: DateTime('Where the first bar begins.'),
    ...figures,
    leftOut: Type.Integer({ description: 'Requests that are not counted: at most 50 a second are.' }),
    bars: Type.Array(
      Type.Object({
        from: DateTime(),
        requests: Type.Integer(),
        refused: Type.Integer(),
        failed: Type.Integer(),
      }),
    ),
    operations: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        ...figures,
        answers: Type.Array(
          Type.Object({
            status: Type.Integer(),
            code: Nullable(Type.String()),
            requests: Type.Integer(),
            share: share('Of the requests of the operation.'),
          }),
        ),
      }),
      { description: 'Those asked most first, fifty at most.' },
    ),
  }),
);

export const RequestLogPage = Type.Interface([ListPage(RequestSchema)], {
  leftOut: Type.Integer({
    description: 'Requests of the period that are not listed: at most 50 a second are, and those of the last week.',
  }),
});
