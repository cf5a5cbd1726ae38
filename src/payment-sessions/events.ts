import type { EventTypes } from '../platform/http/schemas.ts';
import { SessionEventSchema } from './schemas.ts';
import { CollectionSettingsSchema } from './settings-schemas.ts';

const data = SessionEventSchema;

export const paymentSessionEvents: EventTypes = {
  'payment_session.created': { summary: 'A payment session was asked for; the provider opens it.', data },
  'payment_session.opened': { summary: 'A payment session can be paid.', data },
  'payment_session.partially_paid': {
    summary:
      'Less than was asked for came for a session, and the rest may still come. Without `payment` it came before the session was open.',
    data,
  },
  'payment_session.paid': { summary: 'A payment session is paid; `excess` is what came beyond it.', data },
  'payment_session.payment_received': {
    summary:
      'A payment came for a session whose state it does not change: late, beyond what was asked for, or before it is open.',
    data,
  },
  'payment_session.expired': { summary: 'Nobody paid a session in time, or not all of it.', data },
  'payment_session.cancelled': { summary: 'A payment session was cancelled.', data },
  'payment_session.failed': {
    summary: 'A provider refused to open a payment session, for `reason` and `message`.',
    data,
  },
  'collection_settings.updated': {
    summary: 'What public keys may do was changed.',
    data: CollectionSettingsSchema,
  },
};
