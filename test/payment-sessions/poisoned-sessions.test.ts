import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDueSessions } from '../../src/payment-sessions/ask-provider.ts';
import { expireSessions } from '../../src/payment-sessions/end-session.ts';
import type { OpenOneTimeAnswer } from '../../src/rails/index.ts';
import { type CollectionFixture, createCollectionFixture } from '../collections/fixture.ts';
import { stillClock } from '../support/clock.ts';
import { openedSession } from './support.ts';

const POISONED = 10;
/** Of each poisoned merchant, due before those of the others: more in all than one run looks at. */
const SESSIONS_OF_EACH = 60;
const HEALTHY = 3;
const MINUTE_MS = 60_000;
/** Longer than anything backs off at first, and shorter than any session is open. */
const SOON_MS = 10_000;

let fixture: CollectionFixture;

beforeAll(async () => {
  // What backs off does so for as long as the test says, on however busy a machine.
  fixture = await createCollectionFixture({ clock: stillClock() });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.script.nextOneTime.length = 0;
  await fixture.database.pool.query('delete from payment_sessions');
});

type Opened = Awaited<ReturnType<typeof openedSession>>;

/** Sessions of other merchants like one, due earlier, whose next version is no number any more: no change can be kept. */
async function poison({ sessionId }: Opened): Promise<void> {
  for (let at = 0; at < POISONED; at += 1) {
    const { merchantId } = await fixture.addMerchant();
    await fixture.database.pool.query(
      `insert into payment_sessions
       select (jsonb_populate_record(s, jsonb_build_object('merchant_id', $2::uuid, 'id', gen_random_uuid(),
         'version', 2147483647, 'due_at', s.due_at - interval '1 minute'))).*
         from payment_sessions s cross join generate_series(1, $3) where s.id = $1`,
      [sessionId, merchantId, SESSIONS_OF_EACH],
    );
  }
}

async function several(): Promise<[Opened, ...Opened[]]> {
  const opened: Opened[] = [];
  for (let at = 0; at < HEALTHY; at += 1) opened.push(await openedSession(fixture));
  return opened as [Opened, ...Opened[]];
}

const statusesOf = (some: Opened[]) => Promise.all(some.map(async ({ read }) => (await read()).status));
const unknown = async (): Promise<OpenOneTimeAnswer> => ({
  code: '00',
  reason: null,
  message: 'Done',
  at: fixture.clock.now(),
  outcome: 'unknown',
});

describe('sessions that cannot be changed, of ten merchants, each with more than one run takes', () => {
  it('keep none of the others’ from being opened in the first run, and are then left alone for a while', async () => {
    fixture.script.nextOneTime.push(...Array.from({ length: HEALTHY }, () => unknown));
    const healthy = await several();
    await poison(healthy[0]);
    fixture.clock.advance(SOON_MS);
    expect(await openDueSessions(fixture.deps, 'LIVE')).toBe(HEALTHY);
    expect(await statusesOf(healthy)).toEqual(healthy.map(() => 'OPEN'));
    const failures = fixture.deps.jobs.failuresOf('payment-sessions.open');
    expect(failures.backingOffKeys().length).toBeGreaterThan(0);
  });

  it('keep none of the others’ from expiring in the first run, and are then left alone for a while', async () => {
    const healthy = await several();
    await poison(healthy[0]);
    fixture.clock.advance(31 * MINUTE_MS);
    expect(await expireSessions(fixture.deps, 'LIVE')).toBe(HEALTHY);
    expect(await statusesOf(healthy)).toEqual(healthy.map(() => 'EXPIRED'));
    const failures = fixture.deps.jobs.failuresOf('payment-sessions.expire');
    const first = failures.backingOffKeys().length;
    expect(first).toBeGreaterThan(0);
    // Those that were not looked at yet have their turn, and what failed has not.
    await expireSessions(fixture.deps, 'LIVE');
    expect(failures.backingOffKeys().length).toBeGreaterThan(first);
  });
});

describe('a session that failed once', () => {
  it('is done the next time, and begins anew with the shortest pause', async () => {
    const { read, sessionId } = await openedSession(fixture);
    const { pool } = fixture.database;
    await pool.query('update payment_sessions set version = 2147483647 where id = $1', [sessionId]);
    fixture.clock.advance(31 * MINUTE_MS);
    const failures = fixture.deps.jobs.failuresOf('payment-sessions.expire');
    expect(await expireSessions(fixture.deps, 'LIVE')).toBe(0);
    expect(failures.isBackingOff(sessionId)).toBe(true);
    await pool.query('update payment_sessions set version = 2 where id = $1', [sessionId]);
    expect(await expireSessions(fixture.deps, 'LIVE')).toBe(0);
    fixture.clock.advance(SOON_MS);
    expect(await expireSessions(fixture.deps, 'LIVE')).toBe(1);
    expect(await read()).toMatchObject({ status: 'EXPIRED' });
    expect(failures.hasFailed(sessionId)).toBe(false);
  });
});
