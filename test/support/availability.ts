import { availabilityDigest } from '../../src/availability/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Tenant } from '../../src/platform/tenant.ts';

/**
 * A merchant's payments in wait for their settlement, as by a rule that was set the day before yesterday: for tests
 * that cannot move the clock. A process that has taken a payment already learns of it within a minute.
 */
export async function waitForSettlements({ pool }: Database, { merchantId, mode }: Tenant): Promise<void> {
  await pool.query(
    `insert into availability_rules (id, merchant_id, mode, availability, effective_from, source, created_at, digest)
     values ($1, $2, $3, 'ON_SETTLEMENT', now() - interval '1 day', 'New, and untried', now() - interval '2 days', '')`,
    [newId(), merchantId, mode],
  );
  // In two steps: a distributed database works a digest out where it reads a row, and not where it writes one.
  const { rows } = await pool.query<{ id: string; digest: string }>(
    `select id, ${availabilityDigest('r')} as digest from availability_rules r`,
  );
  for (const { id, digest } of rows)
    await pool.query('update availability_rules set digest = $2 where id = $1', [id, digest]);
}
