import type { EventTypes } from '../platform/http/schemas.ts';
import { PaymentLinkSchema } from './schemas.ts';

const link = (summary: string) => ({ summary, data: PaymentLinkSchema });

export const paymentLinkEvents: EventTypes = {
  'payment_link.created': link('A payment link was made.'),
  'payment_link.deactivated': link('A payment link was switched off.'),
  'payment_link.activated': link('A payment link was switched on again.'),
};
