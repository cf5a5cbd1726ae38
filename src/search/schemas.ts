import { type Static, Type } from 'typebox';
import { DateTime, Money, Named, Nullable } from '../platform/http/schemas.ts';
import { HIT_TYPES } from './read-hits.ts';

const MAX_LENGTH = 100;

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: MAX_LENGTH,
      description:
        'Words of a name, an amount in naira (`25000`, `₦25,000.50`), an account number, a session id, or any part of a reference. All words have to be there, in any order; accents and signs count for nothing.',
      examples: ['ada obi'],
    }),
  },
  { additionalProperties: false },
);

const hit = {
  type: Type.Enum([...HIT_TYPES]),
  id: Type.String({ description: 'By which the operation for one of its type reads it.' }),
  reference: Nullable(Type.String({ description: 'Null where it is called by its name alone.' })),
  title: Type.String(),
  subtitle: Type.String({ description: 'Bank and account number, an e-mail address, or how many; it may be empty.' }),
  amount: Nullable(Money('Naira. Null where it has none.')),
  status: Nullable(Type.String({ description: 'Of its type; of a person the role.' })),
  exact: Type.Boolean({ description: 'One of its names, numbers or amounts is just what was searched for.' }),
  createdAt: DateTime(),
};

const more = Type.Array(Type.Enum([...HIT_TYPES]), { description: 'Types of which there is more than is listed.' });

export const SearchSchema = Named(
  'SearchResult',
  Type.Object({
    hits: Type.Array(Type.Object(hit), {
      description: 'At most 8 of a type. Exact ones first, then the newest.',
    }),
    more,
    index: Type.Object(
      {
        complete: Type.Boolean({ description: 'All that has happened is searched.' }),
        filling: Type.Boolean({ description: 'It is being made: what is old may not be found yet.' }),
        waitingEvents: Type.Integer({ minimum: 0, description: 'Events that are not in it yet.' }),
      },
      { description: 'How far the index is, which follows what happens within a second or so.' },
    ),
  }),
);

export const OperatorSearchSchema = Named(
  'OperatorSearch',
  Type.Object({
    hits: Type.Array(
      Type.Object({
        ...hit,
        merchantId: Nullable(Type.String({ description: 'Null for the operator’s own people.' })),
        merchantName: Nullable(Type.String()),
        mode: Nullable(Type.Enum(['SANDBOX', 'LIVE'])),
      }),
      { description: 'At most 8 of a type. Exact ones first, then the newest.' },
    ),
    more,
  }),
);

export type SearchView = Static<typeof SearchSchema>;
export type OperatorSearchView = Static<typeof OperatorSearchSchema>;
