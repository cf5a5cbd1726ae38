import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { ProviderWebhookRequest } from '../../src/rails/index.ts';
import { openTestDatabase } from '../support/database.ts';
import { accountOf, newTenant, openRail, paymentTo, SECRET, SIGNAL } from './sandbox-support.ts';

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
});
afterAll(() => drop());

it('of 20 merchants that cannot be delivered keep none of the others’ waiting, nor good ones of the same merchants', async () => {
  const delivered: string[] = [];
  let calls = 0;
  const refused = new Set<string>();
  const deliver = async ({ rawBody }: ProviderWebhookRequest) => {
    calls += 1;
    const { railReference } = JSON.parse(rawBody.toString()) as { railReference: string };
    if (refused.has(railReference)) throw new Error('503');
    delivered.push(railReference);
  };
  const { rail, clock, forward } = openRail(database, { providerWebhooks: { secret: SECRET, deliver } });
  const jobs = createJobMonitor({ clock, logger: createLogger('silent') });
  const send = async (tenant: Tenant) => {
    const request = paymentTo(tenant, accountOf('pending-then-success'));
    await rail.send(request, SIGNAL);
    return request.railReference;
  };
  const poisoned = Array.from({ length: 20 }, newTenant);
  const bad: string[] = [];
  const good: string[] = [];
  for (const [at, tenant] of poisoned.entries()) {
    const reference = await send(tenant);
    bad.push(reference);
    if (at % 2 === 0) refused.add(reference);
  }
  // Of the other half it cannot be noted that they were delivered.
  const unnoted = bad.filter((reference) => !refused.has(reference));
  await database.pool.query(`update sandbox_rail_transfers set narration = 'poison' where rail_reference = any($1)`, [
    unnoted,
  ]);
  await database.pool.query(
    `alter table sandbox_rail_transfers add constraint poison check (narration <> 'poison' or webhooks_delivered = 0)`,
  );
  forward(1);
  for (const tenant of [...poisoned, ...Array.from({ length: 50 }, newTenant)]) good.push(await send(tenant));
  forward(5);
  expect(await rail.deliverAllDueWebhooks(jobs)).toBe(good.length + unnoted.length);
  expect(delivered.toSorted()).toEqual([...good, ...unnoted].toSorted());
  // Those that failed are left alone for a while.
  const before = calls;
  expect(await rail.deliverAllDueWebhooks(jobs)).toBe(0);
  expect(calls).toBe(before);

  refused.clear();
  forward(60);
  expect(await rail.deliverAllDueWebhooks(jobs)).toBe(20);
});
