import { Type } from 'typebox';
import { DateTime, type EventTypes, Money, Named, Uuid } from '../platform/http/schemas.ts';

const SettlementSchema = Named(
  'RecordedSettlement',
  Type.Object({
    settlementId: Uuid(),
    kind: Type.Enum(['PAID', 'RETURNED']),
    rail: Type.String({ description: 'Whose file it was.' }),
    payouts: Type.Integer({ description: 'How many were confirmed together, at most 1,000.' }),
    amount: Money('What they come to, without charges.'),
    currency: Type.Literal('NGN'),
    recordedAt: DateTime(),
  }),
);

export const reconciliationEvents: EventTypes = {
  'settlement.recorded': {
    summary: "The rail's own settlement file confirmed payouts, or their return. No status and no wallet changes.",
    data: SettlementSchema,
  },
};
