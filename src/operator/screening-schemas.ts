import { Type } from 'typebox';
import { DateTime, Named, Nullable, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { HIT_FROM, MAX_ENTRIES, MAX_LIST_BYTES } from '../screening/index.ts';
import { ModeName, OneOf } from './schemas.ts';

const ListName = () =>
  VisibleText({
    minLength: 2,
    maxLength: 100,
    examples: ['UN consolidated list'],
    description: 'A version replaces the one of this name.',
  });

export const ScreeningListSchema = Named(
  'ScreeningList',
  Type.Object({
    listId: Uuid('Of this version.'),
    name: Type.String(),
    mode: ModeName(),
    source: Type.String(),
    listedOn: Type.String({ examples: ['2026-11-20'] }),
    entries: Type.Integer(),
    fileHash: Type.String({ description: 'SHA-256 of the file, hex.' }),
    importedBy: Type.String(),
    importedAt: DateTime(),
    endedAt: Nullable(DateTime('Null: in force.')),
  }),
);

export const ImportListForm = Type.Object(
  {
    name: ListName(),
    mode: ModeName(),
    source: VisibleText({ minLength: 3, maxLength: 300, examples: ['https://main.un.org, downloaded by Bola'] }),
    listedOn: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      'x-hint': 'must be a day such as 2026-11-20',
      examples: ['2026-11-20'],
      description: 'The day that the list gives.',
    }),
    file: Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      description:
        'A CSV file in UTF-8 with a header: name, and if they are there aliases with semicolons, account_number, ' +
        `bank_code. ${MAX_ENTRIES.toLocaleString('en-GB')} names and ${MAX_LIST_BYTES / 1024 / 1024} MB at most.`,
    }),
  },
  { additionalProperties: false },
);
export const ImportedListSchema = Named('ImportedList', Type.Object({ listId: Uuid(), entries: Type.Integer() }));

export const EndListBody = Type.Object({ name: ListName(), mode: ModeName() }, { additionalProperties: false });

const HitSchema = Named(
  'ScreeningHit',
  Type.Object({
    list: Type.String(),
    listId: Uuid(),
    entryNumber: Type.Integer({ description: 'Its row in the file.' }),
    name: Type.String(),
    by: OneOf(['NAME', 'ACCOUNT'] as const),
    score: Type.Integer({ description: `0 to 100; from ${HIT_FROM} on it is a hit.` }),
  }),
);

export const ScreeningResultSchema = Named(
  'ScreeningResult',
  Type.Object({
    outcome: OneOf(
      ['CLEAR', 'HIT', 'UNKNOWN'] as const,
      'UNKNOWN: the lists cannot be read. It is never taken for CLEAR.',
    ),
    hits: Type.Array(HitSchema),
  }),
);

export const ScreenBody = Type.Object(
  {
    mode: ModeName(),
    name: VisibleText({ minLength: 1, maxLength: 300, examples: ['Chidi Okafor'] }),
    accountNumber: Type.Optional(VisibleText({ maxLength: 20, examples: ['0123456785'], 'x-log': 'LAST4' })),
  },
  { additionalProperties: false },
);

/** A name that a merchant gave, for the person who reviews the merchant. */
export const ScreenedPartySchema = Named(
  'ScreenedParty',
  Type.Object({
    party: OneOf(['BUSINESS', 'DIRECTOR', 'OWNER'] as const),
    name: Type.String(),
    result: ScreeningResultSchema,
  }),
);
