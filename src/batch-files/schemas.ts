import { Type } from 'typebox';
import { accountName, BatchSchema, itemFields, phoneNumber } from '../batches/index.ts';
import {
  AmountFromZero,
  type EventTypes,
  Money,
  Named,
  Nullable,
  ProblemSchema,
  VisibleText,
} from '../platform/http/schemas.ts';
import { Purpose } from '../transactions/index.ts';
import { FIELDS } from './column-names.ts';

/** Rows of one batch, from a body or from a file. A dispatch holds the money of all of them at once. */
export const MAX_ITEMS = 100_000;

/** Values for rows that leave a field empty. */
const Defaults = (description: string) =>
  Type.Object(
    {
      narration: Type.Optional(Type.String({ maxLength: 500 })),
      bankCode: Type.Optional(Type.String({ maxLength: 100 })),
    },
    { additionalProperties: false, description, examples: [{ narration: 'November salary' }] },
  );

export const ItemBody = Named(
  'NewItem',
  Type.Object(
    {
      ...itemFields,
      bankCode: Type.Optional({
        ...itemFields.bankCode,
        description:
          'Bank code, see GET /bank. Without it, that of `defaults`; without either, the item is kept and cannot be paid.',
      }),
      narration: Type.Optional({
        ...itemFields.narration,
        description:
          'At most 100 characters. Without it, that of `defaults`; without either, the item is kept and cannot be paid.',
      }),
      phoneNumber: Type.Optional(phoneNumber),
      accountName: Type.Optional(accountName),
    },
    { additionalProperties: false },
  ),
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
    AmountFromZero('What all the amounts must come to, in naira. Where it differs, nothing is kept.', 1500.5),
  ),
};

const jsonSettings = {
  ...settings,
  defaults: Type.Optional(Defaults('For items that say nothing of it. The bank may be a name.')),
};

export const CreateBatchBody = Named(
  'NewBulkPayout',
  Type.Object(
    { items: Type.Array(ItemBody, { minItems: 1, maxItems: MAX_ITEMS }), ...jsonSettings },
    { additionalProperties: false },
  ),
);

export const RepeatBatchBody = Type.Object(
  {
    narration: Type.Optional(
      VisibleText({
        minLength: 1,
        maxLength: 100,
        description: 'For all rows, such as the next month; left out, each keeps the one that it had.',
        examples: ['December salary'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** The members beside `items`, for a body that is too large to be validated as a whole. */
export const BatchSettings = Type.Object(jsonSettings, { additionalProperties: false });

/** Documents the form; its fields are texts and are read one by one. */
export const UploadForm = Named(
  'BulkPayoutFile',
  Type.Object(
    {
      file: Type.String({
        format: 'binary',
        description:
          'CSV or Excel workbook (.xlsx), at most 50 MB and 100,000 rows below a header that names the columns: amount, ' +
          'account number, bank code or bank name, narration, and if you like account name and phone number.',
      }),
      sheet: Type.Optional(
        Type.String({
          maxLength: 1_000,
          description: 'The name of the sheet, or its place from 1.',
          examples: ['November'],
        }),
      ),
      headerRow: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'The row that names the columns, where it is not found; 0 where none does.',
        }),
      ),
      mapping: Type.Optional(
        Type.Record(Type.String(), Nullable(Type.Enum([...FIELDS])), {
          maxProperties: 50,
          description:
            'What a column is, by what the header calls it or by its letter, as JSON; null for one that is not used. What is ' +
            'not said is found by the names of the columns.',
          examples: [{ 'Net Pay': 'amount', F: 'accountNumber' }],
        }),
      ),
      defaults: Type.Optional(Defaults('For rows that say nothing of it, as JSON. The bank may be a name.')),
      includeRows: Type.Optional(
        Type.Array(Type.Integer({ minimum: 1 }), {
          maxItems: 500,
          description: 'Rows that are read although they look like a total or a note, as JSON.',
          examples: [[27]],
        }),
      ),
      ...settings,
    },
    { additionalProperties: false },
  ),
);

const field = (description: string) => Nullable(Type.Enum([...FIELDS], { description }));

const SeenColumnSchema = Named(
  'FileColumn',
  Type.Object({
    column: Type.String({ description: 'Its letter.', examples: ['D'] }),
    header: Type.String({ description: 'What the header calls it.', examples: ['Net Pay'] }),
    field: field('What it is read as; null where it is not used, or where that has to be said.'),
    candidate: field('What it could be, where that has to be said with `mapping`.'),
    samples: Type.Array(Type.String(), {
      description: 'What stands in it, of the first rows; empty once a batch is made.',
    }),
  }),
);

const LeftOutSchema = Named(
  'LeftOutRow',
  Type.Object({
    row: Type.Integer({ description: 'As the spreadsheet counts.' }),
    reason: Type.Enum(['TITLE', 'HEADER_REPEATED', 'TOTAL', 'SUM', 'SIGNATURE', 'NOTE', 'EMPTY']),
    text: Type.String({ description: 'What stands in it.', examples: ['Grand Total · 1250000'] }),
    couldBePayment: Type.Boolean({
      description: 'Somebody should look whether it is meant as a payment; `includeRows` reads it.',
    }),
  }),
);

const UnderstoodSchema = Named(
  'UnderstoodFile',
  Type.Object({
    sheet: Nullable(Type.String({ description: 'The sheet that was read; null for CSV, or where it has to be said.' })),
    sheets: Type.Array(
      Type.Object({
        name: Type.String(),
        position: Type.Integer({ description: 'From 1.' }),
        isRecognised: Type.Boolean({ description: 'Its header is that of a list to be paid.' }),
      }),
      { description: 'Those of the workbook that can be seen; none of a CSV file.' },
    ),
    headerRow: Nullable(Type.Integer({ description: 'The row that names the columns; 0 where none does.' })),
    mapping: Type.Object(
      {},
      {
        additionalProperties: Type.Enum([...FIELDS]),
        description: 'What each column is read as, by its letter: may be sent as `mapping`.',
        examples: [{ B: 'accountName', D: 'amount' }],
      },
    ),
    mappingFrom: Nullable(
      Type.Enum(['GIVEN', 'REMEMBERED', 'GUESSED'], {
        description: 'Who says so: the request, the last file with the same header, or the names of the columns.',
      }),
    ),
    columns: Type.Array(SeenColumnSchema),
    rowsRead: Type.Integer({ description: 'Rows that become items.' }),
    leftOut: Type.Array(LeftOutSchema, { description: 'Rows that do not, at most 120 of them.' }),
    leftOutRows: Type.Integer({ description: 'How many, without empty rows.' }),
    formulas: Type.Integer({ description: 'Cells whose stored result was read in place of a formula.' }),
    total: Nullable(Money('What the amounts come to, also of rows that cannot be paid; null beyond 70 trillion.')),
  }),
);

const PreviewProblemSchema = Named(
  'RowProblem',
  Type.Interface([ProblemSchema], {
    severity: Type.Enum(['ERROR', 'WARNING'], { description: 'An error keeps the rows from being paid.' }),
    count: Type.Integer({ description: 'Rows of which it is said.' }),
    rows: Type.Array(Type.Integer(), { description: 'The first twenty of them.' }),
  }),
);

const PreviewRowSchema = Named(
  'PreviewRow',
  Type.Object({
    row: Type.Integer({ description: 'As the spreadsheet counts; in a JSON list from 1.' }),
    amount: Nullable(Money('Null where it is no amount.')),
    givenAmount: Type.String({ description: 'As you gave it.' }),
    bankCode: Type.String(),
    bankName: Type.String({ description: 'Empty where there is no such bank.' }),
    accountNumber: Type.String(),
    accountName: Type.String(),
    narration: Type.String(),
    phoneNumber: Nullable(Type.String()),
    isValid: Type.Boolean({
      description: 'Nothing keeps it from being paid, as far as that is known without its bank.',
    }),
  }),
);

export const PreviewSchema = Named(
  'BulkPayoutPreview',
  Type.Object({
    understood: Nullable(UnderstoodSchema),
    isReady: Type.Boolean({ description: 'The same request to `POST /payout/bulk` would make a batch.' }),
    rows: Type.Array(PreviewRowSchema, { description: 'The first five, as they would be read.' }),
    validRows: Type.Integer({ description: 'Rows that can be paid, as far as that is known without their banks.' }),
    problems: Type.Array(ProblemSchema, { description: 'Why it would make none: about the list as a whole.' }),
    notices: Type.Array(ProblemSchema, { description: 'What was noticed about the list as a whole.' }),
    rowProblems: Type.Array(PreviewProblemSchema, { description: 'About its rows, by code and field.' }),
  }),
);

export const CreatedBatchSchema = Named(
  'CreatedBatch',
  Type.Interface([BatchSchema], {
    warnings: Type.Array(Type.String(), {
      description: 'About the list as a whole: what was corrected, skipped or not used.',
    }),
    problems: Type.Array(ProblemSchema, { description: 'The same as data.' }),
    understood: Nullable(UnderstoodSchema),
  }),
);

/** The events about the beginning of a batch. */
export const batchFileEvents: EventTypes = {
  'batch.created': {
    summary: 'A bulk payout was taken in and is being validated.',
    data: CreatedBatchSchema,
  },
};
