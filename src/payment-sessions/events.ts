import type { EventTypes } from '../platform/http/schemas.ts';
import { SessionEventSchema } from './schemas.ts';
import { CollectionSettingsSchema } from './settings-schemas.ts';

const data = SessionEventSchema;

export const paymentSessionEvents: EventTypes = {
  'payment_session.created': { summary: 'A payment session was asked for; the provider opens it.', data },
  'payment_session.opened': { summary: 'A payment session can be paid.', data },
  'payment_session.partially_paid': {
    summary: 'A payment came for a session, and less than was asked for; the rest may still come.',
    data,
  },
  'payment_session.paid': { summary: 'A payment session is paid; `excess` says what came beyond it.', data },
  'payment_session.payment_received': {
    summary: 'A payment came for a session whose state it does not change: late, or beyond what was asked for.',
    data,
  },
  'payment_session.expired': { summary: 'Nobody paid a session in time, or not all of it.', data },
  'payment_session.cancelled': { summary: 'A payment session was called off.', data },
  'payment_session.failed': {
    summary: 'A provider would not open a payment session; `reason` and `message` say why.',
    data,
  },
  'collection_settings.updated': {
    summary: 'What public keys may do was changed.',
    data: CollectionSettingsSchema,
  },
};
