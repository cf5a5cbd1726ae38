import { Type } from 'typebox';
import { DateTime, type EventTypes, Money, Named, Uuid } from '../platform/http/schemas.ts';

const CollectionSettlementSchema = Named(
  'CollectionSettlement',
  Type.Object({
    settlementId: Uuid('Of this payment alone.'),
    paymentId: Uuid(),
    amount: Money('What the payer had sent, whole.'),
    currency: Type.Literal('NGN'),
    settledAt: DateTime('When the operator recorded it.'),
  }),
);

export const providerSettlementEvents: EventTypes = {
  'collection.settled': {
    summary:
      'The provider settled a payment in. One that waited for it is in its wallet now, which `inbound_payment.credited` says.',
    data: CollectionSettlementSchema,
  },
};
