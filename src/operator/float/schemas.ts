import { Type } from 'typebox';
import { DateTime, Money, Named, Nullable, Uuid } from '../../platform/http/schemas.ts';
import { ListPage, listQuery } from '../../platform/lists/schemas.ts';
import { ModeWord, Word } from '../schemas.ts';

export const ListFloatQuery = Type.Object(listQuery(), { additionalProperties: false });

export const FloatCheckSchema = Named(
  'FloatCheck',
  Type.Object({
    checkId: Uuid(),
    rails: Type.Array(Type.String(), { description: 'Compared together: our books keep one float a mode.' }),
    mode: ModeWord(),
    merchantId: Nullable(Uuid('Whose books, where the rail keeps merchants apart; null is all.')),
    railBalance: Money('What the rails say.'),
    float: Money('What our books say was put there, less what files confirmed.'),
    unsettled: Money('Paid by our books and confirmed by no file yet.'),
    expected: Money('What the rails should say: float less unsettled.'),
    held: Money('Held for payouts without an outcome: some of it may have left.'),
    difference: Money('What the rails say less what they should say.'),
    verdict: Word(['AGREES', 'EXPLAINED_BY_HELD', 'RAILS_HAVE_LESS', 'RAILS_HAVE_MORE'] as const),
    checkedBy: Type.String(),
    checkedAt: DateTime(),
  }),
);

export const FloatSchema = Named(
  'Float',
  Type.Object({
    standing: Type.Array(FloatCheckSchema, { description: 'The last comparison of each group of rails.' }),
    history: ListPage(FloatCheckSchema),
  }),
);

export const CheckFloatBody = Type.Object(
  {
    rails: Type.Array(Type.String({ maxLength: 40, examples: ['sandbox'] }), {
      minItems: 1,
      maxItems: 20,
      description: 'All rails that pay in this mode.',
    }),
    mode: ModeWord(),
    merchantId: Type.Optional(Nullable(Uuid('The sandbox rail keeps each merchant apart.'))),
  },
  { additionalProperties: false },
);

export const CheckedFloatSchema = Named(
  'CheckedFloat',
  Type.Object({
    check: FloatCheckSchema,
    before: Nullable(FloatCheckSchema),
  }),
);
