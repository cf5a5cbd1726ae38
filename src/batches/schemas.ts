import { type TSchema, Type } from 'typebox';
import {
  DateTime,
  type EventTypes,
  MAX_INTEGER,
  MAX_NAIRA,
  Money,
  Named,
  Nullable,
  ONE_FIELD,
  Pin,
  ProblemSchema,
  Uuid,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery, Page } from '../platform/lists/schemas.ts';
import { Purpose, TransactionStatusSchema } from '../transactions/index.ts';
import { BATCH_STATUSES } from './batch-state.ts';
import { ITEM_OUTCOMES } from './item-queries.ts';

/**
 * The fields of an item. Types are enforced, values are not: a row with a wrong account or a zero is stored and shown
 * as invalid, with the reason, so that a clerk can correct it.
 */
export const itemFields = {
  amount: Type.Number({
    minimum: -MAX_NAIRA,
    maximum: MAX_NAIRA,
    description: 'Naira, at most two decimals.',
    examples: [15000],
    'x-hint': 'must have at most 13 digits before the decimal point',
    'x-money': true,
  }),
  bankCode: Type.String({ maxLength: 20, description: 'Bank code, see GET /bank.', examples: ['058'] }),
  accountNumber: Type.String({ maxLength: 40, description: 'NUBAN, 10 digits.', examples: ['0123456785'] }),
  narration: Type.String({ maxLength: 500, description: 'At most 100 characters.', examples: ['November salary'] }),
};
export const phoneNumber = Type.String({ maxLength: 30, examples: ['2348012345678'] });
export const accountName = Type.String({
  maxLength: 200,
  description: 'Whose account you think it is.',
  examples: ['Ada Obi'],
});

const batchReference = Type.String({ maxLength: 100, description: 'From POST /payout/bulk.' });

export const BatchParams = Type.Object({ batchReference });

export const ListBatchesQuery = Type.Object(
  {
    ...listQuery(),
    status: Type.Optional(Type.Enum([...BATCH_STATUSES], { description: 'Only those of this status.' })),
  },
  { additionalProperties: false },
);

/** Of which problem of items: one of the table in docs/bulk-files.md. */
export const ProblemCode = (description: string, example: string) =>
  Type.String({
    pattern: '^[A-Z][A-Z_]*$',
    maxLength: 60,
    'x-hint': `must be the code of a problem of items, such as ${example}`,
    description,
    examples: [example],
  });

export const ListItemsQuery = Type.Object(
  {
    ...listQuery(),
    isValid: Type.Optional(Type.Boolean({ description: 'Only valid or only invalid items.' })),
    hasWarnings: Type.Optional(Type.Boolean({ description: 'Only items with or only items without a warning.' })),
    isDuplicate: Type.Optional(
      Type.Boolean({ description: 'Only items that repeat something, or only those that do not.' }),
    ),
    problem: Type.Optional(ProblemCode('Only items with the problem of this code.', 'NAME_DIFFERS')),
    cause: Type.Optional(
      Type.String({ maxLength: 200, description: 'With `problem`: only those of the group with this cause.' }),
    ),
    outcome: Type.Optional(
      Type.Enum([...ITEM_OUTCOMES], { description: 'After the dispatch: only items of which this became.' }),
    ),
    order: Type.Optional(
      Type.Enum(['ROW', 'MATCH'], {
        description: 'As given, which is the default, or those first whose names are least alike.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** As long as the longest cell that is stored of a file: its content may be what has to be corrected. */
const seenText = Type.Optional(Type.String({ maxLength: 500 }));
const seenFields = Type.Object(
  {
    amount: Type.Optional(itemFields.amount),
    bankCode: seenText,
    accountNumber: seenText,
    accountName: seenText,
    narration: seenText,
    phoneNumber: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
  },
  {
    additionalProperties: false,
    description:
      'What fields held when you looked: refused with BATCH_ITEM_CHANGED, and nothing done, where one of them holds ' +
      'something else by now.',
  },
);

export const UpdateItemBody = Type.Object(
  {
    bulkPayoutItemId: Uuid('The item to update.'),
    amount: Type.Optional(itemFields.amount),
    bankCode: Type.Optional(itemFields.bankCode),
    accountNumber: Type.Optional(itemFields.accountNumber),
    accountName: Type.Optional(accountName),
    narration: Type.Optional(itemFields.narration),
    phoneNumber: Type.Optional(Nullable(phoneNumber)),
    seen: Type.Optional(seenFields),
  },
  { additionalProperties: false, minProperties: 2, 'x-hint': ONE_FIELD },
);

export const ItemParams = Type.Object({ id: Uuid('The item to remove.') });

export const BatchItemParams = Type.Object({ ...BatchParams.properties, id: Uuid('The item.') });

export const DispatchBatchBody = Type.Object(
  {
    pin: Pin(),
    batchReference,
    skipInvalid: Type.Optional(Type.Boolean({ description: 'Pay the valid items and leave the others.' })),
    digest: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'The digest that you were shown: refused with BATCH_DIGEST_MISMATCH when it is another by now.',
        'x-hint': 'must be the 64 hex digits of GET /payout/bulk/{batchReference}',
      }),
    ),
    allowDuplicate: Type.Optional(
      Type.Boolean({
        description:
          'Pay although items repeat what was paid or waits to be paid. Refused with BATCH_DUPLICATE where more do by ' +
          'now than you were shown.',
      }),
    ),
    duplicates: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_INTEGER,
        description: 'With allowDuplicate: how many items you were shown as repeating something. More are refused.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const CancelBatchBody = Type.Object({ batchReference }, { additionalProperties: false });

export const BatchSchema = Named(
  'Batch',
  Type.Object({
    id: Uuid(),
    batchReference: Type.String(),
    status: Type.Enum([...BATCH_STATUSES]),
    conclusive: Type.Boolean({ description: 'Will nothing change any more?' }),
    reason: Nullable(Type.String({ description: 'Why it stands as it stands, UPPER_SNAKE.' })),
    purpose: Purpose(),
    itemCount: Type.Integer(),
    version: Type.Integer({ description: 'Counts every change of its items or its status.' }),
    source: Type.Enum(['JSON', 'CSV', 'XLSX']),
    fileName: Nullable(Type.String()),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    createdAt: DateTime(),
    updatedAt: DateTime(),
    expiresAt: DateTime('When it expires unless it is touched or dispatched before.'),
    dispatchedAt: Nullable(DateTime()),
    approvalId: Nullable(Uuid('What it waits for, or was dispatched by. See GET /approval/{approvalId}.')),
    originBatchReference: Nullable(
      Type.String({ description: 'The bulk payout whose failed and returned payouts it pays again.' }),
    ),
    repeatedBatchReference: Nullable(
      Type.String({ description: 'The earlier bulk payout that it was made from, to pay the same people once more.' }),
    ),
    amount: Money('What its valid items come to, without charges; after the dispatch, what was dispatched.'),
    paidAmount: Money('What was paid of it so far and not returned, without charges.'),
  }),
);

export const ListedBatchSchema = Named(
  'ListedBatch',
  Type.Interface([BatchSchema], {
    validItemCount: Type.Integer({
      description: 'Items that can be paid, of those validated so far: `amount` sums these.',
    }),
  }),
);

const counts = <K extends string>(...names: K[]): TSchema =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])));

export const BatchSummarySchema = Named(
  'BatchSummary',
  Type.Interface([BatchSchema], {
    duplicates: Type.Object(
      {
        count: Type.Integer({ description: 'Valid items that repeat what was paid or waits, or a row before them.' }),
        amount: Money('What these come to, without charges.'),
      },
      {
        description:
          'As of now before the dispatch, as it was dispatched after it. While there are any, a dispatch needs allowDuplicate.',
      },
    ),
    counts: counts('total', 'valid', 'invalid', 'waiting', 'warnings', 'lowMatch'),
    payouts: Type.Object({
      open: Type.Integer({ description: 'Without an outcome yet.' }),
      unknown: Type.Integer({
        description:
          'Of the open ones, those whose bank has not said what became of them. They are asked about again. Counted while 5,000 or fewer are open.',
      }),
      succeeded: Type.Integer(),
      failed: Type.Integer(),
      reversed: Type.Integer(),
    }),
    totals: Type.Object(
      {
        amount: Money('What the beneficiaries get.'),
        fee: Money('Transfer fees.'),
        vat: Money('VAT on the fees.'),
        stampDuty: Money('Stamp duty borne by the sender.'),
        charges: Money('Fees, VAT and duty.'),
        total: Money('What leaves the wallet.'),
        currency: Type.Literal('NGN'),
      },
      { description: 'Of the valid items: a quote before the dispatch, what was held after it.' },
    ),
    progress: Type.Object({
      phase: Nullable(Type.Enum(['VALIDATING', 'SENDING'])),
      done: Type.Integer({ description: 'Items that have been validated, or payouts that have ended.' }),
      total: Type.Integer(),
      estimatedSecondsLeft: Nullable(
        Type.Integer({ description: 'At the pace so far; null where there is none yet.' }),
      ),
    }),
    digest: Nullable(
      Type.String({
        description:
          'SHA-256 of the items, their amounts and charges. Send it with the dispatch to pay exactly what you saw. Null ' +
          'while the items are being validated.',
      }),
    ),
  }),
);

const Sum = (description: string) =>
  Type.Object(
    {
      amount: Money('To people.'),
      charges: Money('Fees, VAT and stamp duty.'),
      total: Money('Both.'),
    },
    { description },
  );

export const OutcomeSchema = Type.Object({
  batchReference: Type.String(),
  status: Type.Enum([...BATCH_STATUSES]),
  outcomes: Type.Array(
    Type.Object({
      outcome: Type.Enum([...ITEM_OUTCOMES], {
        description: 'LEFT_OUT could not be paid when it was dispatched; IN_PROGRESS has no outcome yet.',
      }),
      count: Type.Integer(),
      amount: Nullable(
        Money('Of these items, without charges; null where what was left out is more than JSON can say to the kobo.'),
      ),
    }),
    { description: 'Each outcome once, also where no item has it.' },
  ),
  wallet: Type.Object({
    left: Sum('What has left the wallet.'),
    returned: Sum('What of it came back, with the charges.'),
    net: Sum('What stays out of the wallet.'),
    held: Sum('What is held for what has no outcome yet.'),
  }),
  retryLists: Type.Array(
    Type.Object({
      batchReference: Type.String(),
      status: Type.Enum([...BATCH_STATUSES]),
      itemCount: Type.Integer({ description: 'Items that it may pay, or was dispatched with.' }),
    }),
    { description: 'Lists of its failed and returned payouts that may pay them or have, the newest first.' },
  ),
});

const ItemProblemSchema = Named(
  'ItemProblem',
  Type.Interface([ProblemSchema], {
    severity: Type.Enum(['ERROR', 'WARNING'], { description: 'An error keeps the item from being paid.' }),
  }),
);

export const ItemSchema = Named(
  'Item',
  Type.Object({
    id: Uuid('For PATCH and DELETE.'),
    position: Type.Integer({ description: 'The row as you gave it, from 1.' }),
    amount: Money('As you gave it.'),
    givenAmount: Nullable(
      Type.String({
        description: 'The text that you gave in place of an amount, where it is none; the amount is then 0.',
      }),
    ),
    bankCode: Type.String(),
    bankName: Type.String({ description: 'Empty until the bank is known.' }),
    accountNumber: Type.String(),
    accountName: Type.String({ description: 'As the bank has it; empty until it said so.' }),
    givenName: Nullable(Type.String({ description: 'As you gave it.' })),
    matchScore: Nullable(
      Type.Integer({ minimum: 0, maximum: 100, description: 'How like the bank’s name the given one is.' }),
    ),
    narration: Type.String(),
    phoneNumber: Nullable(Type.String()),
    isValid: Type.Boolean(),
    reason: Nullable(Type.String({ description: 'What to correct; null for a valid item.' })),
    warnings: Type.Array(Type.String(), {
      description:
        'What looks odd, was corrected or repeats something; it does not stop the payment. What `reason` says in the same ' +
        'words is left out.',
    }),
    problems: Type.Array(ItemProblemSchema, {
      description:
        'The same as data, and all of it: what `reason` says as errors, then the warnings. Decide on code and field.',
    }),
    repeats: Nullable(
      Type.Object(
        {
          kind: Type.Enum(['PAYOUT', 'SCHEDULE', 'WAITING_PAYOUT', 'BATCH', 'WAITING_BATCH', 'ROW'], {
            description:
              'A single payout that was paid, is scheduled for now or waits for approval; a row of a bulk payout that was ' +
              'dispatched or waits; a row of this one.',
          }),
          transactionId: Nullable(Uuid('The payout; null for a row that is none yet.')),
          batchReference: Nullable(Type.String({ description: 'The other bulk payout.' })),
          row: Nullable(Type.Integer({ description: 'Its position there, or in this bulk payout.' })),
          at: Nullable(DateTime('When it was paid, dispatched, uploaded or is scheduled.')),
        },
        { description: 'The same amount to the same account, paid or about to be.' },
      ),
    ),
    accepted: Type.Array(Type.String(), {
      description: 'Codes of warnings that somebody accepted for this item as it is.',
    }),
    validatedAt: Nullable(DateTime()),
    createdAt: DateTime(),
    transactionId: Nullable(Uuid('Its payout, soon after the dispatch: the same id.')),
    payoutStatus: Nullable(TransactionStatusSchema),
    payoutReason: Nullable(Type.String()),
    paysAgain: Nullable(
      Type.Object(
        {
          transactionId: Uuid(),
          payoutStatus: TransactionStatusSchema,
          payoutReason: Nullable(Type.String()),
        },
        { description: 'In a retry list: the payout of the earlier list that failed or was returned, and why.' },
      ),
    ),
  }),
);

export const ItemListPage = ListPage(ItemSchema);
/** The answer where an item was removed: page 1 of its batch. */
export const ItemPage = Page(ItemSchema);
/** The answer to a changed item: page 1 of its batch, and the item, on whatever page that is. */
export const UpdatedItemPage = Type.Object({ ...ItemPage.properties, item: ItemSchema }, { 'x-extends': 'PageInfo' });

const batch = (summary: string) => ({ summary, data: BatchSchema });

/** One event for every state that a batch can enter after it was created, and for every change of a batch. */
export const batchEvents: EventTypes = {
  'batch.ready': batch('Every item can be paid; also after an approval that was not given.'),
  'batch.needs_fix': batch('Some items cannot be paid; correct or drop them.'),
  'batch.item_updated': batch('An item was changed and validated again.'),
  'batch.item_dropped': batch('An item was removed.'),
  'batch.items_changed': batch(
    'Up to 500 items of one problem were changed, accepted or removed together, or that was undone.',
  ),
  'batch.pending_approval': batch('A dispatch waits for approval; nothing is held.'),
  'batch.dispatched': batch('The total is held and the payouts are on their way.'),
  'batch.completed': batch('Every payout of the batch succeeded.'),
  'batch.partially_completed': batch('Every payout of the batch ended, and at least one failed.'),
  'batch.cancelled': batch('A bulk payout was called off before its dispatch.'),
  'batch.expired': batch('Nobody touched the bulk payout for 7 days.'),
};
