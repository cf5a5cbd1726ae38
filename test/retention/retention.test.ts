import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { firstIdOf, newId } from '../../src/platform/ids.ts';
import { keptForDays, RETENTION_SETTINGS, type RetentionDays, removeOldRows } from '../../src/retention/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { signedInOperator } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';

const DAY_MS = 86_400_000;
const DAYS = keptForDays({});

let t: TestApp;
beforeAll(async () => {
  // One holds a row while two wait for it.
  t = await createTestApp({ DATABASE_POOL_SIZE: '3' });
});
afterEach(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
});
afterAll(() => t.close());

/** So many days ago. */
const ago = (days: number) => new Date(t.clock.now().getTime() - days * DAY_MS);
/** An id as it was made then. */
const idOf = (at: Date) => firstIdOf(at).slice(0, 14) + newId().slice(14);
const count = async (table: string, where = 'true') =>
  Number((await t.database.pool.query(`select count(*) as n from ${table} where ${where}`)).rows[0].n);
const forget = (days: RetentionDays = DAYS) => removeOldRows(t, days);

async function addMail(at: Date, state: 'SENT' | 'WAITS' | 'WITH_TEXT'): Promise<void> {
  await t.database.pool.query(
    `insert into mails (id, recipient, subject, body_sealed, created_at, due_at, sent_at)
     values ($1, 'ada@shop.example', 'Hello', $2, $3, $3, $4)`,
    [idOf(at), state === 'SENT' ? null : 'sealed', at, state === 'WAITS' ? null : at],
  );
}

/** The delivery of an event that there is, as if it had been made then. */
async function addDeliveries(statuses: readonly ('DELIVERED' | 'FAILED' | 'PENDING')[]): Promise<void> {
  const { rows } = await t.database.pool.query(
    `select merchant_id, mode, id, sequence, type from events where merchant_id = $1 and mode = 'SANDBOX'
      order by sequence limit $2`,
    [t.merchant.merchantId, statuses.length],
  );
  for (const [at, { merchant_id, mode, id, sequence, type }] of rows.entries()) {
    const status = statuses[at];
    const now = t.clock.now();
    await t.database.pool.query(
      `insert into webhook_deliveries (merchant_id, mode, id, sequence, type, status, attempts, next_attempt_at, delivered_at,
         created_at, last_attempt_id)
       values ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10)`,
      [
        merchant_id,
        mode,
        id,
        sequence,
        type,
        status,
        status === 'PENDING' ? now : null,
        status === 'DELIVERED' ? now : null,
        now,
        newId(),
      ],
    );
    await t.database.pool.query(
      `insert into webhook_attempts (merchant_id, mode, delivery_id, id, kind, started_at, duration_ms)
       values ($1, $2, $3, $4, 'SCHEDULED', $5, 10)`,
      [merchant_id, mode, id, newId(), now],
    );
  }
  await t.database.pool.query(
    `insert into webhook_endpoints (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
     select merchant_id, mode, $2, 'https://shop.example/', 'ENABLED', event_sequence, 0, now(), now() from books where merchant_id = $1 and mode = 'SANDBOX'
     on conflict do nothing`,
    [t.merchant.merchantId, newId()],
  );
}

describe('what has had its time', () => {
  it('is removed, and what is younger or not done with stays', async () => {
    await addMail(ago(DAYS.mails + 1), 'SENT');
    await addMail(ago(DAYS.mails + 1), 'WAITS');
    await addMail(ago(DAYS.mails + 1), 'WITH_TEXT');
    await addMail(ago(DAYS.mails - 1), 'SENT');
    const others = await count('mails');
    expect(await forget()).toBe(1);
    expect(await count('mails')).toBe(others - 1);
    expect(await forget()).toBe(0);
  });

  it('of deliveries goes with its calls once they have ended, and the events stay: the proof is green', async () => {
    await addDeliveries(['DELIVERED', 'FAILED', 'PENDING']);
    const [deliveries, calls, events] = await Promise.all(
      ['webhook_deliveries', 'webhook_attempts', 'events'].map((table) => count(table)),
    );
    t.clock.advance((DAYS.deliveries - 1) * DAY_MS);
    await forget();
    expect(await count('webhook_deliveries')).toBe(deliveries);
    t.clock.advance(2 * DAY_MS);
    await forget();
    expect(await count('webhook_deliveries', "status <> 'PENDING'")).toBe(0);
    expect(await count('webhook_deliveries')).toBe(1);
    expect(await count('webhook_attempts')).toBe((calls ?? 0) - 2);
    expect(await count('events')).toBe(events);
  });

  it('of deliveries stays with its calls where it is asked for again at that moment', async () => {
    const asking = await t.database.pool.connect();
    const all = await count('webhook_attempts');
    // Of the test before, the one that is left.
    await t.database.pool.query(`update webhook_deliveries set status = 'FAILED', next_attempt_at = null`);
    await asking.query('begin');
    await asking.query('update webhook_deliveries set replay_at = $1', [t.clock.now()]);
    const forgetting = forget();
    await expect.poll(() => lockWaits(t.connectionString)).toBe(1);
    await asking.query('commit');
    asking.release();
    await forgetting;
    expect([await count('webhook_deliveries'), await count('webhook_attempts')]).toEqual([1, all]);
  });

  it('of deliveries goes unended too where there is no address any more', async () => {
    const pending = `status = 'PENDING', next_attempt_at = $1, replay_at = null`;
    await t.database.pool.query(`update webhook_deliveries set ${pending}`, [t.clock.now()]);
    await forget();
    expect([await count('webhook_deliveries'), await count('webhook_attempts')]).toEqual([1, 1]);
    await t.database.pool.query(`update webhook_endpoints set url = ''`);
    await forget();
    expect([await count('webhook_deliveries'), await count('webhook_attempts')]).toEqual([0, 0]);
  });

  it('of comparisons of the float goes but for the last one of the same rails and mode', async () => {
    for (const [days, rails, mode] of [
      [3_000, 'bank', 'LIVE'],
      [2_600, 'bank', 'SANDBOX'],
      [2_500, 'bank', 'LIVE'],
      [2_400, 'old-bank', 'LIVE'],
      [10, 'bank', 'LIVE'],
    ] as const) {
      await t.database.pool.query(
        `insert into float_checks (id, rails, mode, currency, rail_minor, float_minor, unsettled_minor, held_minor,
           difference_minor, checked_by, checked_at)
         values ($1, $2, $4, 'NGN', 0, 0, 0, 0, 0, 'ada', $3)`,
        [idOf(ago(days)), rails, ago(days), mode],
      );
    }
    await forget();
    const { rows } = await t.database.pool.query('select rails, mode from float_checks order by id');
    expect(rows.map(({ rails, mode }) => `${rails} ${mode}`)).toEqual(['bank SANDBOX', 'old-bank LIVE', 'bank LIVE']);
  });

  it('goes piece by piece: more than one statement removes, and no more than a run may', async () => {
    const at = ago(DAYS.mails + 10);
    const { rowCount } = await t.database.pool.query(
      `insert into mails (id, recipient, subject, created_at, due_at, sent_at)
       select ($1 || lpad(to_hex(n), 12, '0'))::uuid, 'ada@shop.example', 'Many', $2, $2, $2 from generate_series(1, 2500) n`,
      [firstIdOf(at).slice(0, 24), at],
    );
    let statements = 0;
    let most = 0;
    const database = {
      ...t.database,
      query: async (...given: Parameters<typeof t.database.query>) => {
        const rows = await t.database.query(...given);
        if (given[0].name === 'delete-old-mails') {
          statements += 1;
          most = Math.max(most, (rows[0] as { gone: number }).gone);
        }
        return rows;
      },
    } as typeof t.database;
    expect(await removeOldRows({ database, clock: t.clock }, DAYS)).toBeGreaterThanOrEqual(rowCount ?? 0);
    // The last one finds nothing.
    expect(statements).toBe(4);
    expect(most).toBe(1_000);
  });
});

describe('the settings of what is kept', () => {
  it('are refused below what something else needs, and are as they are said by default', () => {
    const set = (name: string, days: number) =>
      readConfig({ DATABASE_URL: t.connectionString, DEMO_DATA: 'true', [name]: String(days) }).retention;
    for (const [of, { name, minimum, default: usual }] of Object.entries(RETENTION_SETTINGS)) {
      expect(() => set(name, minimum - 1)).toThrow(name);
      expect(set(name, minimum)).toEqual({ ...DAYS, [of]: minimum });
      expect(DAYS[of as keyof RetentionDays]).toBe(usual);
    }
  });

  it('are read by the operator, with what no setting removes', async () => {
    const operator = await signedInOperator(t);
    const { kept } = (await operator.call('GET', '/operator/retention')).body.data;
    expect(kept).toContainEqual(expect.objectContaining({ setting: 'RETAIN_MAILS_DAYS', days: 180, minimumDays: 30 }));
    const always = kept.filter(({ days }: { days: number | null }) => days === null);
    expect(always.map(({ what }: { what: string }) => what)).toContain('The audit log');
  });
});
