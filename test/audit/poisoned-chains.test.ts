import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordAudit, sealAudit } from '../../src/audit/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newId } from '../../src/platform/ids.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { type AccessDatabase, createAccessDatabase, silent, testSecrets } from '../access/access-database.ts';
import { clockOf } from '../support/clock.ts';

const POISONED = 20;
const HEALTHY = 50;

let store: AccessDatabase;
const jobs = createJobMonitor({ clock: systemClock, logger: silent });
beforeAll(async () => {
  store = await createAccessDatabase();
});
afterAll(() => store.drop());

const deps = () => ({ database: store.database, secrets: testSecrets(), clock: systemClock, jobs });

/** Merchants with an entry each that waits for its seal; `first` in the order of their ids where that is wanted. */
async function merchants(count: number, first = false): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, at) =>
    first ? `00000000-0000-7000-8000-0000000000${10 + at}` : newId(),
  );
  for (const merchantId of ids) await record(merchantId);
  return ids;
}

async function record(merchantId: string): Promise<void> {
  await recordAudit(store.database, {
    merchantId,
    mode: 'SANDBOX',
    at: new Date(),
    action: 'POST /payout/single',
    summary: 'Pay to a bank account now',
    outcome: 'ASKED',
    code: null,
    subject: {},
    actor: { kind: 'PERSON', id: newId(), name: 'Ada Obi', role: 'MAKER', sessionId: newId() },
    ip: '127.0.0.1',
    userAgent: 'test',
    requestId: newId(),
  });
}

/** Past the triggers, as a superuser can. */
async function tamper(sql: string, values: unknown[]): Promise<void> {
  await store.database.transaction(async (tx) => {
    // On each server, where Citus distributes the database.
    await tx.client.query(`set local citus.propagate_set_commands = 'local'`);
    await tx.client.query(`set local session_replication_role = 'replica'`);
    await tx.client.query(sql, values);
  });
}

async function sealed(ids: readonly string[]): Promise<number> {
  const { rows } = await store.database.pool.query(
    'select count(*)::int as seals from audit_seals where merchant_id = any($1::uuid[])',
    [ids],
  );
  return rows[0].seals;
}

it('logs of 20 merchants that cannot be sealed keep none of 50 others’ from it, and are sealed when they can', async () => {
  const poisoned = await merchants(POISONED, true);
  const healthy = await merchants(HEALTHY);
  await store.database.pool.query(
    `alter table audit_seals add constraint poison check (merchant_id::text not like '00000000-%') not valid`,
  );
  expect(await sealAudit(deps())).toBe(HEALTHY);
  expect(await sealed(healthy)).toBe(HEALTHY);
  for (const merchantId of healthy) await record(merchantId);
  expect(await sealAudit(deps())).toBe(HEALTHY);

  expect(await sealed(poisoned)).toBe(0);

  await store.database.pool.query('alter table audit_seals drop constraint poison');
  const later = clockOf(() => new Date(Date.now() + 5 * 60_000));
  // By the clock of a worker five minutes on.
  const corrected = createJobMonitor({ clock: later, logger: silent });
  expect(await sealAudit({ ...deps(), jobs: corrected })).toBe(POISONED);
});

it('entries that were taken out before they were sealed, however many, keep no other merchant’s from it', async () => {
  const [gone = ''] = await merchants(1, true);
  await sealAudit(deps());
  for (let at = 0; at < 600; at += 1) await record(gone);
  const { rows } = await store.database.pool.query('select entry_id from audit_unsealed where merchant_id = $1', [
    gone,
  ]);
  const ids = rows.map(({ entry_id }) => entry_id);
  await tamper('delete from audit_entries where merchant_id = $1 and id = any($2::uuid[])', [gone, ids]);
  const healthy = await merchants(3);
  expect(await sealAudit(deps())).toBe(3);
  expect(await sealed(healthy)).toBe(3);
});
