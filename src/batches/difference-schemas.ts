import { Type } from 'typebox';
import { DateTime, Money, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { DIFFERENCES } from './difference-queries.ts';

const to = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      'Reference of the earlier bulk payout. Left out, the one that this was made from, or else the last that was paid and ' +
      'has at least half of its accounts.',
  }),
);

export const DifferenceQuery = Type.Object({ to }, { additionalProperties: false });

const kind = (description: string) => Type.Enum([...DIFFERENCES], { description });

export const ListDifferencesQuery = Type.Object(
  { ...listQuery(), to, kind: Type.Optional(kind('Only those of this kind.')) },
  { additionalProperties: false },
);

const side = (which: string) =>
  Type.Object({
    rows: Type.Integer({ description: `Rows of the ${which} list.` }),
    amount: Money('What they come to.'),
  });

export const DifferenceSchema = Named(
  'BatchDifference',
  Type.Object({
    batchReference: Type.String(),
    version: Type.Integer({ description: 'Of the bulk payout that is compared.' }),
    earlier: Nullable(
      Type.Object(
        {
          batchReference: Type.String(),
          fileName: Nullable(Type.String()),
          dispatchedAt: Nullable(DateTime()),
          chosenBy: Type.Enum(['GIVEN', 'REPEATED', 'LIKE'], {
            description: 'Named by `to`, the one that this was made from, or the last one like it.',
          }),
        },
        { description: 'What it is compared with; null where there is nothing like it.' },
      ),
    ),
    before: side('earlier'),
    now: side('compared'),
    kinds: Type.Array(
      Type.Object({
        kind: kind(
          'CHANGED_ACCOUNT: one name, another account; UNCLEAR: a name stands for more than one account, so nothing is ' +
            'concluded from it.',
        ),
        count: Type.Integer({ description: 'Accounts. A changed account counts once.' }),
        amountBefore: Money('Of the earlier list.'),
        amountNow: Money('Of the compared list.'),
      }),
      { description: 'Each kind once, also where there is nothing of it. Together they are both lists.' },
    ),
  }),
);

const Side = Named(
  'BatchDifferenceSide',
  Type.Object({
    itemId: Uuid('The first row of the account.'),
    position: Type.Integer({ description: 'Of that row.' }),
    rows: Type.Integer({ description: 'Rows to this account, which are added up.' }),
    amount: Money('Of all of them.'),
    bankCode: Type.String(),
    bankName: Type.String({ description: 'Empty until the bank is known.' }),
    accountNumber: Type.String(),
    accountName: Type.String({ description: 'As the bank has it; empty until it said so.' }),
    givenName: Nullable(Type.String({ description: 'As you gave it.' })),
  }),
);

export const DifferenceItemSchema = Named(
  'BatchDifferenceItem',
  Type.Object({
    kind: kind('What became of the account between the two lists.'),
    before: Nullable(Side),
    now: Nullable(Side),
  }),
);
