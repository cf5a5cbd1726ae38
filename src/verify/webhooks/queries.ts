import { type Check, check } from '../queries.ts';

/** A delivery has its event's own id, so that no receiver is told one thing under two; each sequence is told once. */
const wrongDeliveries = check(
  'deliveries-are-of-their-events',
  'Every webhook delivery is of one event and has its id.',
  `select d.merchant_id, d.mode,
          format('delivery %s (%s) of sequence %s: the event there is %s', d.id, d.type, d.sequence,
                 coalesce(e.id || ' (' || e.type || ')', 'none')) as detail
     from webhook_deliveries d
     left join events e on e.merchant_id = d.merchant_id and e.mode = d.mode and e.sequence = d.sequence
    where (e.id = d.id and e.type = d.type) is not true
   union all
   select merchant_id, min(mode), format('event %s was told under %s sequences', id, count(*))
     from webhook_deliveries
    group by merchant_id, id
   having count(*) > 1`,
);

const runawayEndpoints = check(
  'endpoints-are-told-what-happened',
  'No webhook endpoint is ahead of the books or behind its deliveries.',
  `select w.merchant_id, w.mode,
          format('the endpoint is at %s, the books are at %s, the last delivery is of %s', w.cursor_sequence,
                 coalesce(b.event_sequence::text, 'nothing'), coalesce(d.last, 0)) as detail
     from webhook_endpoints w
     left join books b on b.merchant_id = w.merchant_id and b.mode = w.mode
     left join (
       select merchant_id, mode, max(sequence) as last from webhook_deliveries group by merchant_id, mode
     ) d on d.merchant_id = w.merchant_id and d.mode = w.mode
    where w.cursor_sequence > coalesce(b.event_sequence, 0) or coalesce(d.last, 0) > w.cursor_sequence`,
);

export const webhookChecks: readonly Check[] = [wrongDeliveries, runawayEndpoints];
