import type { EventTypes } from '../platform/http/schemas.ts';
import { OwnLimitChangedSchema } from './schemas.ts';

export const limitEvents: EventTypes = {
  'limit.changed': { summary: 'The merchant changed its own limits.', data: OwnLimitChangedSchema },
};
