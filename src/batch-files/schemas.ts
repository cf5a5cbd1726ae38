import { Type } from 'typebox';
import { accountName, BatchSchema, itemFields, phoneNumber } from '../batches/index.ts';
import { Amount, Named, ProblemSchema } from '../platform/http/schemas.ts';
import { Purpose } from '../transactions/index.ts';

/** Rows of one batch, from a body or from a file. A dispatch holds the money of all of them at once. */
export const MAX_ITEMS = 100_000;

export const ItemBody = Type.Object(
  {
    ...itemFields,
    phoneNumber: Type.Optional(phoneNumber),
    accountName: Type.Optional(accountName),
  },
  { additionalProperties: false },
);

const controlCount = Type.Integer({
  minimum: 0,
  maximum: 10_000_000,
  description: 'How many rows there must be. Where it differs, nothing is kept.',
  examples: [1],
});

const settings = {
  purpose: Type.Optional(Purpose()),
  controlCount: Type.Optional(controlCount),
  controlTotal: Type.Optional(
    Amount('What all the amounts must come to, in naira. Where it differs, nothing is kept.'),
  ),
};

export const CreateBatchBody = Type.Object(
  { items: Type.Array(ItemBody, { minItems: 1, maxItems: MAX_ITEMS }), ...settings },
  { additionalProperties: false },
);

/** The members beside `items`, of a body that is too large to be looked at as a whole. */
export const BatchSettings = Type.Object(settings, { additionalProperties: false });

/** Documents the form; its fields are texts and are read one by one. */
export const UploadForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      description:
        'CSV or Excel workbook (.xlsx), at most 50 MB and 100,000 rows below a header that names the columns: amount, ' +
        'account number, bank code or bank name, narration, and if you like account name and phone number.',
    }),
    ...settings,
  },
  { additionalProperties: false },
);

export const CreatedBatchSchema = Named(
  'CreatedBatch',
  Type.Interface([BatchSchema], {
    warnings: Type.Array(Type.String(), {
      description: 'About the list as a whole: what was corrected, skipped or not used.',
    }),
    problems: Type.Array(ProblemSchema, { description: 'The same as data.' }),
  }),
);
