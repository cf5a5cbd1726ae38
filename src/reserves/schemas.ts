import { Type } from 'typebox';
import { DateTime, type EventTypes, Money, Named, Nullable, Uuid } from '../platform/http/schemas.ts';

const ReleaseDay = (description: string) => Type.String({ format: 'date', description, examples: ['2026-12-20'] });

export const ReserveQuery = Type.Object(
  { walletId: Type.Optional(Uuid('Only what was kept of payments to this wallet.')) },
  { additionalProperties: false },
);

/** What is kept, and when it comes back. */
export const ReserveSchema = Named(
  'CollectionReserve',
  Type.Object({
    amount: Money('What is kept in all. It is the merchant’s, and in no balance of a wallet before it is released.'),
    payments: Type.Integer({ description: 'Of how many payments that is.' }),
    currency: Type.Literal('NGN'),
    releases: Type.Array(
      Type.Object({
        releaseOn: ReleaseDay('The day in Lagos on which it comes back.'),
        amount: Money('What comes back on that day.'),
        payments: Type.Integer({ description: 'Of how many payments.' }),
      }),
      { description: 'By day, the next one first.' },
    ),
  }),
);

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
