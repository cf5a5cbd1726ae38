import { Type } from 'typebox';
import { MerchantChangesSchema } from '../merchants/index.ts';
import { type EventTypes, Uuid } from '../platform/http/schemas.ts';

export const profileEvents: EventTypes = {
  'merchant.updated': {
    summary: 'Webhook addresses or contact fields were changed.',
    data: Type.Object({ merchantId: Uuid(), changes: MerchantChangesSchema }),
  },
};
