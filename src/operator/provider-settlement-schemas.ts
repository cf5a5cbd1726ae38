import { Type } from 'typebox';
import { DateTime, Money, Named, Nullable, Uuid, VisibleLines } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { PROVIDER_LINE_RESULTS, PROVIDER_LINE_STATES } from '../provider-settlements/index.ts';
import { ModeName, OneOf, Reason } from './schemas.ts';

export const ListProviderSettlementsQuery = Type.Object(
  {
    needsDecision: Type.Optional(
      Type.Boolean({
        description:
          'Only those that wait to be applied, and applied ones with a line that differs and waits for somebody.',
        default: false,
      }),
    ),
    ...listQuery(),
  },
  { additionalProperties: false },
);
export const ProviderSettlementParams = Type.Object({ settlementId: Uuid() });
export const ProviderLineParams = Type.Object({ settlementId: Uuid(), lineId: Uuid() });

const MAX_NOTE = 1_000;

export const ProviderSettlementSchema = Named(
  'ProviderSettlement',
  Type.Object({
    settlementId: Uuid(),
    rail: Type.String({ description: 'The provider account.' }),
    mode: ModeName(),
    reference: Type.String({ description: 'The provider’s own, of this settlement.' }),
    lumpSum: Money('What arrived.'),
    settledOn: Type.String({ description: 'The day on which it did.', examples: ['2026-11-20'] }),
    cutOff: Nullable(DateTime('Payments that were confirmed before have to be in the file; null: none is looked for.')),
    fileName: Type.String(),
    status: OneOf(
      ['LOADING', 'MATCHING', 'READY', 'APPLYING', 'DONE', 'DISCARDED'] as const,
      'READY: another person may apply it. LOADING, MATCHING: goes on when the same file is sent again.',
    ),
    importedBy: Type.String(),
    createdAt: DateTime(),
    decidedBy: Nullable(Type.String({ description: 'Who had it applied, or discarded it.' })),
    decidedAt: Nullable(DateTime()),
    note: Nullable(Type.String({ description: 'Why it was applied though it does not add up, or was discarded.' })),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'Lines by result.',
      examples: [{ MATCHED: 120 }],
    }),
    unresolved: Type.Integer({ description: 'Lines that differ and wait for somebody.' }),
    gross: Money('Of all lines in naira that could be read.'),
    fee: Money('The same: what the provider keeps.'),
    net: Money('The same: what is expected.'),
    difference: Money('What arrived less what is expected; below zero where less arrived.'),
    posted: Type.Integer({ description: 'Lines that are in the books.' }),
    postedNet: Money('What came to the float by them.'),
  }),
);

export const ListProviderLinesQuery = Type.Object(
  {
    state: Type.Optional(OneOf(PROVIDER_LINE_STATES, 'OPEN: differs, and nobody has resolved it. AGREES: is posted.')),
    result: Type.Optional(OneOf(PROVIDER_LINE_RESULTS)),
    ...listQuery(),
  },
  { additionalProperties: false },
);

export const ProviderLineSchema = Named(
  'ProviderSettlementLine',
  Type.Object({
    lineId: Uuid(),
    lineNumber: Nullable(Type.Integer({ description: 'Null: the file lacks it.' })),
    result: OneOf(PROVIDER_LINE_RESULTS),
    detail: Nullable(Type.String()),
    transactionId: Nullable(Type.String({ description: 'The provider’s own.' })),
    sessionId: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    gross: Nullable(Money('What the file says.')),
    fee: Nullable(Money('The same: what the provider keeps.')),
    net: Nullable(Money('The same: what it settles.')),
    currency: Nullable(Type.String({ examples: ['NGN'] })),
    ourAmount: Nullable(Money('What our books say.')),
    ourFee: Nullable(Money('What the provider said at the confirmation that it keeps; null where it did not.')),
    merchantId: Nullable(Uuid()),
    businessName: Nullable(Type.String()),
    paymentId: Nullable(Uuid()),
    deductionOf: Nullable(
      Type.Object(
        { type: OneOf(['REFUND', 'DISPUTE'] as const), id: Uuid() },
        {
          description:
            'The refund or dispute of ours that the line takes for; null of a payment, and where none answers.',
        },
      ),
    ),
    postedAt: Nullable(DateTime()),
    resolution: Nullable(
      Type.Object({
        how: OneOf(['ACCEPTED', 'FOUND_LATER'] as const),
        note: Nullable(Type.String()),
        by: Nullable(Type.String()),
        at: DateTime(),
      }),
    ),
  }),
);

/** Read by the command, which says what is wrong with it. */
const Plain = { pattern: '^[ -~]{1,40}$', maxLength: 40 } as const;

export const ProviderSettlementForm = Type.Object(
  {
    file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The provider’s CSV file.' }),
    rail: Type.String({ maxLength: 100, examples: ['paystack-live'] }),
    mode: ModeName(),
    reference: Type.String({ maxLength: 100, description: 'The provider’s own, of this settlement.' }),
    lumpSum: Type.String({ ...Plain, description: 'Naira that arrived.', examples: ['49850.00'] }),
    settledOn: Type.String({ ...Plain, description: 'The day on which it did.', examples: ['2026-11-20'] }),
    cutOff: Type.Optional(
      Type.String({
        ...Plain,
        description: 'Date and time, or a day that is over: until when payments have to be in the file.',
      }),
    ),
    amountsInKobo: Type.Optional(Type.Boolean({ description: 'Plain amount columns count kobo, not naira.' })),
  },
  { additionalProperties: false },
);

export const ApplyBody = Type.Object(
  {
    note: Type.Optional(
      Type.Union([VisibleLines({ maxLength: MAX_NOTE }), Type.Null()], {
        description: 'Why it is applied although its lines do not come to the lump sum; at least 10 characters.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const AppliedSchema = Named(
  'AppliedSettlement',
  Type.Object({
    posted: Type.Integer({ description: 'Lines that this request posted.' }),
    isDone: Type.Boolean({ description: 'False: there are more; ask again to go on.' }),
  }),
);

export const DiscardBody = Type.Object({ reason: Reason() }, { additionalProperties: false });

export const AcceptBody = Type.Object(
  { note: VisibleLines({ minLength: 10, maxLength: MAX_NOTE, description: 'What was found out.' }) },
  { additionalProperties: false },
);
