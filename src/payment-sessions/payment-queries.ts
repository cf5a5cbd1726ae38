import type { InboundPaymentRow } from '../collections/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { SessionRow } from './queries.ts';

/** A session $3 that expired, and that was not over at $4. */
export const findExpiredAfter = statement<Pick<SessionRow, 'id'>>(
  'find-payment-session-expired-after',
  `select id from payment_sessions
    where merchant_id = $1 and mode = $2 and id = $3 and status = 'EXPIRED' and expires_at > $4`,
);

/** What became of payments of a session $3 that came before payment $4 and are in no wallet: held, or gone elsewhere. */
export const listPaymentsAway = statement<Pick<InboundPaymentRow, 'status'>>(
  'list-session-payments-away',
  `select distinct p.status
     from payment_session_payments s
     join payment_session_payments b
       on b.merchant_id = s.merchant_id and b.mode = s.mode and b.session_id = s.session_id and b.version < s.version
     join inbound_payments p on p.merchant_id = b.merchant_id and p.mode = b.mode and p.id = b.payment_id
    where s.merchant_id = $1 and s.mode = $2 and s.session_id = $3 and s.payment_id = $4
      and p.status in ('SUSPENSE', 'RETURNED', 'KEPT')`,
);
