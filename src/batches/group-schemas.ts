import { Type } from 'typebox';
import { DateTime, MAX_INTEGER, Money, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { BatchSchema, ItemSchema, itemFields, PROBLEM_CODE, phoneNumber } from './schemas.ts';

const ACTIONS = ['ACCEPT', 'CHANGE', 'CHECK_AGAIN', 'LEAVE_OUT'] as const;

const problemCode = Type.String({
  pattern: PROBLEM_CODE,
  maxLength: 60,
  description: 'Code of the problem that the items have in common.',
  examples: ['BANK_NAME_NOT_FOUND'],
});
const cause = (description: string) => Nullable(Type.String({ maxLength: 200, description, examples: ['ALAT'] }));

export const ResolveGroupBody = Type.Object(
  {
    code: problemCode,
    cause: Type.Optional(cause('The cause of the group, as it was listed; null or left out where it has none.')),
    action: Type.Enum([...ACTIONS], {
      description:
        'ACCEPT the warning; CHANGE a field of all; CHECK_AGAIN asks banks that were silent; LEAVE_OUT removes the items.',
    }),
    change: Type.Optional(
      Type.Object(
        {
          bankCode: Type.Optional(itemFields.bankCode),
          narration: Type.Optional(itemFields.narration),
          phoneNumber: Type.Optional(Nullable(phoneNumber)),
          amountAsRead: Type.Optional(
            Type.Literal(true, { description: 'The figure in the text that was given, such as 25000 of 25,000/=.' }),
          ),
        },
        { additionalProperties: false, description: 'With CHANGE: the one field of the group, and its value for all.' },
      ),
    ),
    version: Type.Integer({
      minimum: 1,
      maximum: MAX_INTEGER,
      description: 'The version in which you saw the group: refused with BATCH_CHANGED when it is another by now.',
    }),
  },
  { additionalProperties: false },
);

export const GroupActionSchema = Named(
  'GroupAction',
  Type.Object({
    id: Uuid(),
    kind: Type.Enum([...ACTIONS, 'UNDO']),
    code: Nullable(Type.String({ description: 'Of the group; null of an undo.' })),
    cause: Nullable(Type.String()),
    items: Type.Integer({ description: 'Items that it is about.' }),
    doneItems: Type.Integer({ description: 'Items that it was applied to so far.' }),
    status: Type.Enum(['RUNNING', 'DONE', 'UNDONE']),
    createdAt: DateTime(),
  }),
);

export const ResolvedSchema = Named('ResolvedGroup', Type.Interface([BatchSchema], { action: GroupActionSchema }));

const Sample = Type.Object(
  {
    ...ItemSchema.properties,
    amountAsRead: Nullable(Money('What CHANGE with amountAsRead makes of the text given for the amount.')),
  },
  { 'x-extends': 'Item' },
);

const GroupSchema = Named(
  'ProblemGroup',
  Type.Object({
    code: Type.String(),
    cause: Nullable(
      Type.String({
        description:
          'What they have in common besides: the text given for the bank, the digits of the account number, the marks ' +
          'around the amount with # for the figure, the bulk payout that they repeat. Null where the code says it all.',
      }),
    ),
    severity: Type.Enum(['ERROR', 'WARNING'], { description: 'An error keeps the items from being paid.' }),
    field: Nullable(Type.String({ description: 'Of PATCH /payout/bulk/item; null for the row as a whole.' })),
    isHarmless: Type.Boolean({
      description: 'Read in the only way there is, such as a leading zero that was missing.',
    }),
    count: Type.Integer({ description: 'Items that nobody accepted.' }),
    acceptedCount: Type.Integer(),
    amount: Money('Of all of them.'),
    message: Type.String({ description: 'Said of the first of them.' }),
    actions: Type.Array(Type.Enum([...ACTIONS])),
    suggestion: Nullable(
      Type.Object({
        bankCode: Nullable(Type.String({ description: 'The bank that was most likely meant.' })),
        bankName: Nullable(Type.String()),
        amountAsRead: Nullable(
          Type.Boolean({ description: 'True where CHANGE with amountAsRead has an amount to offer.' }),
        ),
      }),
    ),
    samples: Type.Array(Sample, { description: 'Up to three of them; those with the most different names first.' }),
  }),
);

export const GroupsSchema = Type.Object({
  batchReference: Type.String(),
  version: Type.Integer({ description: 'To be sent with an action.' }),
  groups: Type.Array(GroupSchema),
  groupsLeftOut: Type.Integer({ description: 'Smaller groups beyond the first 100.' }),
  running: Nullable(GroupActionSchema),
  undoable: Nullable(GroupActionSchema),
});
