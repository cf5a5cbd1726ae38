import { type Static, Type } from 'typebox';
import { DateTime, Named, ONE_FIELD, Uuid, VisibleText } from '../platform/http/schemas.ts';

export const LISTS = ['TRANSACTIONS', 'PAYOUTS', 'PAYMENTS_IN'] as const;

const ListName = () => Type.Enum([...LISTS], { description: 'Of which list it is a view.' });

/** What the address of a list may hold. What a list does not know, it leaves out. */
const FILTER_FIELDS = [
  'search',
  'by',
  'batch',
  'status',
  'category',
  'rail',
  'channel',
  'counterparty',
  'payer',
  'amountFrom',
  'amountTo',
  'period',
  'from',
  'to',
  'customerId',
  'walletId',
  'order',
] as const;
type FilterField = (typeof FILTER_FIELDS)[number];

const FilterText = () => Type.Optional(VisibleText({ minLength: 1, maxLength: 200 }));
const FilterSchema = Type.Object(
  Object.fromEntries(FILTER_FIELDS.map((name) => [name, FilterText()])) as Record<
    FilterField,
    ReturnType<typeof FilterText>
  >,
  { additionalProperties: false, description: 'What the address of the list holds.' },
);

const ViewName = () =>
  VisibleText({
    minLength: 1,
    maxLength: 60,
    pattern: '\\S',
    'x-hint': 'must be a name of 1 to 60 characters',
    examples: ['Failed salaries'],
  });

const Columns = () =>
  Type.Array(Type.String({ pattern: '^[a-zA-Z]{1,40}$', 'x-hint': 'must be the name of a column' }), {
    maxItems: 30,
    uniqueItems: true,
    description: 'The columns in their order; none: those that the list has by default.',
  });

const SavedViewSchema = Named(
  'SavedView',
  Type.Object({
    viewId: Uuid(),
    list: ListName(),
    name: Type.String(),
    filter: FilterSchema,
    columns: Type.Array(Type.String()),
    isDefault: Type.Boolean({ description: 'The list opens with it, for its owner.' }),
    isShared: Type.Boolean({ description: 'Everybody of the merchant sees it.' }),
    isOwn: Type.Boolean({ description: 'False: somebody else shares it, and only they change it.' }),
    personName: Type.String({ description: 'Whose it is.' }),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  }),
);
export const SavedViewsSchema = Type.Object({ views: Type.Array(SavedViewSchema) });

export const ViewParams = Type.Object({ viewId: Uuid('The view.') });
export const ListViewsQuery = Type.Object({ list: ListName() }, { additionalProperties: false });

const fields = {
  name: ViewName(),
  filter: FilterSchema,
  columns: Columns(),
  isDefault: Type.Boolean(),
  isShared: Type.Boolean(),
};

export const CreateViewBody = Type.Object(
  {
    list: ListName(),
    name: fields.name,
    filter: fields.filter,
    columns: fields.columns,
    isDefault: Type.Optional(fields.isDefault),
    isShared: Type.Optional(fields.isShared),
  },
  { additionalProperties: false },
);
export const UpdateViewBody = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
  minProperties: 1,
  'x-hint': ONE_FIELD,
});

export type NewView = Static<typeof CreateViewBody>;
export type ViewChanges = Static<typeof UpdateViewBody>;
