import type { EventTypes } from '../platform/http/schemas.ts';
import { AdvanceSchema, SandboxPaymentSchema } from './schemas.ts';

export const sandboxEvents: EventTypes = {
  'sandbox.account_paid': {
    summary: 'A simulated payer paid to an account number of a sandbox wallet.',
    data: SandboxPaymentSchema,
  },
  'sandbox.clock_advanced': { summary: 'Sandbox time was moved forward.', data: AdvanceSchema },
};
