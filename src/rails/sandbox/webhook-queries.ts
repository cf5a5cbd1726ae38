import { statement } from '../../platform/db/statement.ts';
import { type Queue, queue } from '../../platform/jobs/queries.ts';
import type { Mode } from '../../platform/tenant.ts';

/** Rows of the simulated bank that send one webhook each, when `next_webhook_at` says. */
export interface WebhookQueue<Row> {
  listDue: ReturnType<typeof statement<Row>>;
  listTenants: ReturnType<typeof statement<{ merchant_id: string; mode: Mode }>>;
  noteDelivered: ReturnType<typeof statement>;
  queue: Queue;
}

/** @param what the rows are about, as the names of the statements have it */
export function webhookQueue<Row>(table: 'sandbox_disputes' | 'sandbox_settlements', what: string): WebhookQueue<Row> {
  // Whose are due, but for the ids in $2. Looks across merchants, outside money transactions.
  const listTenants = statement<{ merchant_id: string; mode: Mode }>(
    `list-tenants-with-due-sandbox-${what}-webhooks`,
    `select merchant_id, mode from ${table}
    where next_webhook_at is not null and next_webhook_at <= $1 and id <> all ($2::text[])
    group by merchant_id, mode`,
  );
  return {
    // Of one merchant, but for the ids in $4.
    listDue: statement<Row>(
      `list-due-sandbox-${what}-webhooks`,
      `select * from ${table}
    where merchant_id = $1 and mode = $2 and next_webhook_at <= $3 and id <> all ($4::text[])
    order by next_webhook_at, id
    limit $5`,
    ),
    listTenants,
    queue: queue(listTenants, table, 'next_webhook_at is not null and next_webhook_at <= $1'),
    noteDelivered: statement(
      `update-sandbox-${what}-webhook-delivered`,
      `update ${table} set next_webhook_at = null where merchant_id = $1 and mode = $2 and id = $3`,
    ),
  };
}
