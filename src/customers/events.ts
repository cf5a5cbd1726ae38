import type { EventTypes } from '../platform/http/schemas.ts';
import { CustomerSchema } from './schemas.ts';

export const customerEvents: EventTypes = {
  'customer.created': { summary: 'A customer was added.', data: CustomerSchema },
  'customer.updated': { summary: 'A customer was changed.', data: CustomerSchema },
};
