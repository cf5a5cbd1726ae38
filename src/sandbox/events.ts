import type { EventTypes } from '../platform/http/schemas.ts';
import { AdvanceSchema } from './schemas.ts';

export const sandboxEvents: EventTypes = {
  'sandbox.clock_advanced': { summary: 'Sandbox time was moved forward.', data: AdvanceSchema },
};
