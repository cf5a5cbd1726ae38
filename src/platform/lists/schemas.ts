import { type TSchema, Type } from 'typebox';
import { DEFAULT_SIZE, MAX_CURSOR_LENGTH } from './list.ts';

export const MAX_SIZE = 200;
/** Pages reach this many records deep; to go further a client uses a cursor. */
const MAX_PAGE = 100_000;

export const CursorText = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_CURSOR_LENGTH,
      description,
      'x-hint': 'must be a cursor of this list',
    }),
  );

/** The parameters of every list. @param size how many rows a page has by default */
export const listQuery = (size = DEFAULT_SIZE) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE,
      description: 'By number, from 1: for people who look around. Rows that are written meanwhile move the pages.',
      'x-hint': `must be from 1 to ${MAX_PAGE}`,
    }),
  ),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SIZE,
      default: size,
      description: 'How many records at most.',
      'x-hint': `must be from 1 to ${MAX_SIZE}`,
    }),
  ),
  after: CursorText('The rows behind this cursor, nextCursor of an answer: a walk that misses and repeats nothing.'),
  before: CursorText('The rows before this cursor, previousCursor of an answer.'),
});

const Position = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);

const cursors = {
  nextCursor: Position('Send it as after for the rows that follow. Null: these are the last.'),
  previousCursor: Position('Send it as before for the rows that go before. Null: these are the first.'),
};

export const PageBase = Type.Object(
  {
    page: Type.Integer({ examples: [1] }),
    size: Type.Integer({ examples: [50] }),
    totalRecords: Type.Integer(),
    totalPages: Type.Integer(),
    totalIsExact: Type.Boolean({ description: 'False: totalRecords is a lower bound that grows as you page on.' }),
    ...cursors,
  },
  { title: 'PageInfo' },
);

/** The interface's page wrapper, for lists that have pages by number alone. */
export const Page = <T extends TSchema>(record: T) =>
  Type.Object({ ...PageBase.properties, records: Type.Array(record) }, { 'x-extends': 'PageInfo' });

const OfAPage = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const ListPageBase = Type.Object(
  {
    page: OfAPage(Type.Integer({ examples: [1], description: 'Null by cursor.' })),
    size: Type.Integer({ examples: [50] }),
    totalRecords: OfAPage(Type.Integer({ description: 'Null by cursor: then nothing is counted.' })),
    totalPages: OfAPage(Type.Integer({ description: 'Null by cursor.' })),
    totalIsExact: OfAPage(
      Type.Boolean({
        description:
          'False beyond 100,000, but for statements: totalRecords is then a lower bound that grows as you page on. Null by cursor.',
      }),
    ),
    ...cursors,
  },
  { title: 'ListPageInfo' },
);

/** The same for a list: what is counted is null by cursor. */
export const ListPage = <T extends TSchema>(record: T) =>
  Type.Object({ ...ListPageBase.properties, records: Type.Array(record) }, { 'x-extends': 'ListPageInfo' });
