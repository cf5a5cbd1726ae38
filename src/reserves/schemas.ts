import { type Static, Type } from 'typebox';
import { DateTime, type EventTypes, Money, MoneySum, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { ColumnsText } from '../platform/spreadsheet/write-csv.ts';
import { RESERVE_STATUSES } from './queries.ts';
import { RESERVE_COLUMNS } from './views.ts';

const ReleaseDay = (description: string) => Type.String({ format: 'date', description, examples: ['2026-12-20'] });

export const ReserveQuery = Type.Object(
  { walletId: Type.Optional(Uuid('Only what was kept of payments to this wallet.')) },
  { additionalProperties: false },
);

/** What is kept, and when it comes back. */
export const ReserveSchema = Named(
  'CollectionReserve',
  Type.Object({
    amount: MoneySum('What is kept in all. It is the merchant’s, and in no balance of a wallet before it is released.'),
    payments: Type.Integer({ description: 'Of how many payments that is.' }),
    currency: Type.Literal('NGN'),
    releases: Type.Array(
      Type.Object({
        releaseOn: ReleaseDay('The day in Lagos on which it comes back.'),
        amount: MoneySum('What comes back on that day.'),
        payments: Type.Integer({ description: 'Of how many payments.' }),
      }),
      { description: 'By day, the next one first.' },
    ),
  }),
);

const KeptReserveSchema = Named(
  'KeptReserve',
  Type.Object({
    paymentId: Uuid('The payment that it was kept of.'),
    amount: Money('What was kept of it.'),
    currency: Type.Literal('NGN'),
    walletId: Uuid('From which it came, and to which it comes back.'),
    keptAt: DateTime('When the payment was credited.'),
    releaseOn: ReleaseDay('The day in Lagos on which it comes back.'),
    releasedAt: Nullable(DateTime('When it came back; null while it is kept.')),
    transactionId: Nullable(Uuid('The transaction that brought it back.')),
  }),
);

const filter = {
  walletId: Type.Optional(Uuid('Only what was kept of payments to this wallet.')),
  status: Type.Optional(
    Type.Enum([...RESERVE_STATUSES], { description: 'KEPT: not back yet. RELEASED: it came back.' }),
  ),
};
export const ListReservesQuery = Type.Object({ ...listQuery(), ...filter }, { additionalProperties: false });
export const ReservesCsvQuery = Type.Object(
  { ...filter, columns: Type.Optional(ColumnsText(RESERVE_COLUMNS)) },
  { additionalProperties: false },
);
export type ReserveFilterQuery = Omit<Static<typeof ReservesCsvQuery>, 'columns'>;
export const ReservePage = ListPage(KeptReserveSchema);

/** What was kept of one payment. */
export const PaymentReserveSchema = Named(
  'PaymentReserve',
  Type.Object({
    amount: Money('What was kept of it.'),
    walletId: Uuid('From which it came, and to which it comes back.'),
    releaseOn: ReleaseDay('The day in Lagos on which it comes back.'),
    releasedAt: Nullable(DateTime('When it came back; null while it is kept.')),
    transactionId: Nullable(Uuid('The transaction that brought it back, of all that the wallet had back with it.')),
  }),
);

export const reserveEvents: EventTypes = {
  'reserve.released': {
    summary: 'What was kept of payments in came back to their wallet on its day.',
    data: Named(
      'ReserveRelease',
      Type.Object({
        transactionId: Uuid('With the category RESERVE_RELEASE.'),
        walletId: Uuid(),
        releaseOn: ReleaseDay('The day on which it was to come back.'),
        amount: Money('What came back.'),
        payments: Type.Integer({ description: 'Of how many payments.' }),
        currency: Type.Literal('NGN'),
        releasedAt: DateTime(),
      }),
    ),
  },
};
