import { Type } from 'typebox';
import { type EventTypes, Nullable, Uuid } from '../platform/http/schemas.ts';

export const railEvents: EventTypes = {
  'merchant.rails_chosen': {
    summary: 'Other rails were chosen for new payouts; null is the default of the mode.',
    data: Type.Object({
      merchantId: Uuid(),
      first: Nullable(Type.String()),
      second: Nullable(Type.String()),
      chosenBy: Type.String(),
    }),
  },
};
