import { Type } from 'typebox';
import { DateTime, Money, Named, Nullable, Uuid, VisibleLines } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { LINE_RESULTS, LINE_STATES } from '../reconciliation/index.ts';
import { ModeName, OneOf } from './schemas.ts';

export const ListSettlementsQuery = Type.Object(listQuery(), { additionalProperties: false });

export const SettlementParams = Type.Object({ importId: Uuid() });

export const SettlementLineParams = Type.Object({ importId: Uuid(), lineId: Uuid() });

export const SettlementSchema = Named(
  'Settlement',
  Type.Object({
    importId: Uuid(),
    rail: Type.String(),
    mode: ModeName(),
    merchantId: Nullable(Uuid('Whose file it is, where the rail keeps merchants apart; null is all.')),
    fileName: Type.String(),
    status: OneOf(
      ['LOADING', 'MATCHING', 'SETTLING', 'DONE'] as const,
      'An import that was cut short goes on when the same file comes again.',
    ),
    lineCount: Type.Integer(),
    periodFrom: Nullable(DateTime()),
    periodTo: Nullable(DateTime()),
    importedBy: Type.String(),
    createdAt: DateTime(),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'Lines by result.',
      examples: [{ MATCHED: 120 }],
    }),
    unresolved: Type.Integer({ description: 'Lines that differ and wait for somebody.' }),
  }),
);

export const ListLinesQuery = Type.Object(
  {
    state: Type.Optional(OneOf(LINE_STATES, 'OPEN: differs, and nobody has resolved it.')),
    result: Type.Optional(OneOf(LINE_RESULTS)),
    ...listQuery(),
  },
  { additionalProperties: false },
);

export const SettlementLineSchema = Named(
  'SettlementLine',
  Type.Object({
    lineId: Uuid(),
    lineNumber: Nullable(Type.Integer({ description: 'Null: the file lacks it.' })),
    result: OneOf(LINE_RESULTS),
    detail: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    sessionId: Nullable(Type.String()),
    kind: OneOf(['PAID', 'REVERSED', 'FAILED', 'UNCLEAR'] as const, 'What the file says became of it.'),
    statusText: Nullable(Type.String({ description: 'The words of the file.' })),
    amount: Nullable(Money('What the file says.')),
    currency: Nullable(Type.String({ examples: ['NGN'] })),
    accountNumber: Nullable(Type.String({ description: 'Whom it went to; null where the file does not say.' })),
    ourAmount: Nullable(Money('What our books say.')),
    ourStatus: Nullable(Type.String()),
    occurredAt: Nullable(DateTime()),
    merchantId: Nullable(Uuid()),
    payoutId: Nullable(Uuid()),
    settledAt: Nullable(DateTime()),
    resolution: Nullable(
      Type.Object({
        how: OneOf(['APPLIED', 'ACCEPTED', 'FOUND_LATER'] as const),
        note: Nullable(Type.String()),
        by: Nullable(Type.String()),
        at: DateTime(),
      }),
    ),
    mayApply: Type.Boolean({
      description: 'Whether the rail’s response may become ours; else it is accepted with a note.',
    }),
  }),
);

export const ImportForm = Type.Object(
  {
    file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The rail’s CSV file.' }),
    rail: Type.String({ maxLength: 100, examples: ['sandbox'] }),
    mode: ModeName(),
    merchantId: Type.Optional(Uuid('Needed for rails that keep merchants apart.')),
    amountsInKobo: Type.Optional(Type.Boolean({ description: 'A plain amount column counts kobo, not naira.' })),
  },
  { additionalProperties: false },
);

const How = () =>
  OneOf(['APPLY', 'ACCEPT'] as const, 'APPLY: what the rail says becomes ours. ACCEPT: looked into; nothing moves.');

const Note = () =>
  Type.Union([VisibleLines({ maxLength: 1_000 }), Type.Null()], {
    description: 'What was found out; needed to accept.',
  });

export const ResolveLineBody = Type.Object(
  { how: How(), note: Type.Optional(Note()) },
  { additionalProperties: false },
);

export const ResolveLinesBody = Type.Object(
  { result: OneOf(LINE_RESULTS), how: How(), note: Type.Optional(Note()) },
  { additionalProperties: false },
);

export const ResolvedLinesSchema = Named(
  'ResolvedLines',
  Type.Object({
    resolved: Type.Integer(),
    refused: Type.Array(Type.Object({ lineId: Uuid(), code: Type.String(), message: Type.String() }), {
      description: 'Those that cannot be resolved so, at most 100 of them.',
    }),
    left: Type.Integer({ description: 'Still open with this result; ask again to go on.' }),
  }),
);
