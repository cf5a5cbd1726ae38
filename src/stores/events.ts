import type { EventTypes } from '../platform/http/schemas.ts';
import { StoreSchema } from './schemas.ts';

export const storeEvents: EventTypes = {
  'store.created': { summary: 'A store was opened with a wallet of its own.', data: StoreSchema },
};
