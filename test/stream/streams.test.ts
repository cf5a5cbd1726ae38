import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  type Principal,
  permissionsOfRole,
  type SignedIn,
  scopesOfRole,
  sessionExpired,
} from '../../src/access/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { Statement } from '../../src/platform/db/statement.ts';
import { databaseAway } from '../../src/platform/errors.ts';
import { newId, uuidOfHex } from '../../src/platform/ids.ts';
import type { Logger } from '../../src/platform/logger.ts';
import { createConnection, sequenceOf } from '../../src/stream/connection.ts';
import { createStreams } from '../../src/stream/streams.ts';
import { ALL_TOPICS, knowsType, topicsFor } from '../../src/stream/topics.ts';
import { stillClock } from '../support/clock.ts';

/** Every event that there is, as the API document lists them. */
const EVENT_TYPES = Object.keys(
  (JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as { webhooks: object }).webhooks,
);

const MERCHANT = '01930000-0000-7000-8000-000000000001';

const principalOf = (personId: string, merchantId = MERCHANT): Principal =>
  ({
    tenant: { merchantId, mode: 'SANDBOX' },
    scopes: scopesOfRole('OWNER', 'SANDBOX'),
    member: { personId, permissions: permissionsOfRole('OWNER') },
  }) as unknown as Principal;

/** A book of events that tests write; what is asked of it is counted. */
/** Those of an array as PostgreSQL takes it: a head of 20 bytes, then each with its length. */
function uuidsIn(array: Buffer): string[] {
  const count = array.readInt32BE(12);
  return Array.from({ length: count }, (_, at) => uuidOfHex(array.toString('hex', 24 + at * 20, 40 + at * 20)));
}

function setUp(limits = { perPerson: 2, perMerchant: 3, inAll: 4 }) {
  const asked: string[] = [];
  const ended = new Set<string>();
  /** What looking at a session throws. */
  const broken = new Map<string, Error>();
  const warned: unknown[] = [];
  /** What a session says now. */
  const signedIn = { role: 'OWNER', stage: 'FULL', merchant: null } as SignedIn;
  let sequence = 0n;
  let types: string[] = [];
  const clock = stillClock();
  const query = async ({ name }: Statement<unknown>, values: readonly unknown[] = []) => {
    asked.push(name);
    const merchants = uuidsIn(values[0] as Buffer);
    if (name === 'list-event-sequences')
      return merchants.map((merchant_id) => ({ merchant_id, mode: 'SANDBOX', event_sequence: sequence }));
    return merchants.map((merchant_id) => ({ merchant_id, mode: 'SANDBOX', types }));
  };
  const streams = createStreams({
    database: { query } as unknown as Database,
    clock,
    logger: { debug: () => undefined, warn: (about: unknown) => warned.push(about) } as unknown as Logger,
    limits,
    lookEveryMs: 3_600_000,
    heartbeatMs: 20_000,
    sessions: {
      look: (secret) => {
        if (ended.has(secret)) throw sessionExpired();
        const error = broken.get(secret);
        if (error !== undefined) throw error;
        return { ...signedIn };
      },
    },
  });
  const open = (personId: string, merchantId?: string) =>
    streams.open({ principal: principalOf(personId, merchantId), secret: personId, lastEventId: undefined });
  const happen = (type: string, times = 1) => {
    types = [type];
    sequence += BigInt(times);
  };
  return { streams, open, happen, asked, ended, broken, warned, signedIn, clock };
}

const textOf = (body: Readable): string => {
  const next = () => body.read() as Buffer | null;
  let text = '';
  for (let chunk = next(); chunk !== null; chunk = next()) text += chunk.toString();
  return text;
};

describe('open pages', () => {
  it('are bounded for a person, a merchant and a process, and a place is free when one is closed', async () => {
    const { streams, open } = setUp();
    const first = await open('ada');
    await open('ada');
    await expect(open('ada')).rejects.toThrow(/yours/);
    await open('bola');
    await expect(open('chidi')).rejects.toThrow(/this business/);
    await open('dayo', '01930000-0000-7000-8000-000000000002');
    await expect(open('efe', '01930000-0000-7000-8000-000000000003')).rejects.toThrow(/this installation/);
    first.destroy();
    await new Promise((resolve) => first.once('close', resolve));
    await open('efe', '01930000-0000-7000-8000-000000000003');
    expect(streams.count()).toBe(4);
    streams.close();
  });

  it('are not let in by each other when many come at once', async () => {
    const { streams, open } = setUp();
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => open('ada')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(streams.count()).toBe(2);
    streams.close();
  });

  it('share one reader: two statements a look, however many there are', async () => {
    const { streams, open, happen, asked } = setUp({ perPerson: 50, perMerchant: 50, inAll: 50 });
    for (let at = 0; at < 40; at += 1) await open(`person ${at}`);
    asked.length = 0;
    happen('payout.succeeded', 300);
    await streams.look();
    expect(asked).toEqual(['list-event-sequences', 'list-event-types']);
    asked.length = 0;
    await streams.look();
    expect(asked).toEqual(['list-event-sequences']);
    streams.close();
  });

  it('hear everything where too much happened to say what', async () => {
    const { streams, open, happen } = setUp();
    const body = await open('ada');
    happen('transaction.succeeded', 5_000);
    await streams.look();
    expect(textOf(body)).toContain(JSON.stringify({ topics: ALL_TOPICS }));
    streams.close();
  });

  it('keep no more than the topics for a page that does not read, tell it all later, and give it up in the end', async () => {
    const { streams, open, happen, clock } = setUp();
    const body = await open('ada');
    for (let at = 0; at < 2_000; at += 1) {
      happen(at % 2 === 0 ? 'payout.succeeded' : 'approval.requested');
      await streams.look();
    }
    expect(body.readableLength).toBeLessThan(8_000);
    textOf(body);
    happen('store.created');
    await streams.look();
    expect(textOf(body)).toContain('stores');
    for (let at = 0; at < 200; at += 1) {
      happen('payout.succeeded');
      await streams.look();
    }
    clock.advance(61_000);
    await streams.look();
    await expect.poll(() => body.destroyed).toBe(true);
    await expect.poll(() => streams.count()).toBe(0);
  });

  it('get a sign of life when nothing happens', async () => {
    const { streams, open, clock } = setUp();
    const body = await open('ada');
    textOf(body);
    await streams.look();
    expect(textOf(body)).toBe('');
    clock.advance(20_001);
    await streams.look();
    expect(textOf(body)).toMatch(/^: /);
    streams.close();
  });

  it('hear of changes and get their signs of life where the session of another cannot be read, which ends alone', async () => {
    const { streams, open, happen, broken, warned, clock } = setUp();
    const [page, bad] = [await open('ada'), await open('bola')];
    textOf(page);
    broken.set('bola', new TypeError('a role of another release'));
    happen('payout.succeeded');
    await streams.look();
    expect(textOf(page)).toContain('payouts');
    expect(textOf(bad)).toContain('RIGHTS_CHANGED');
    expect([streams.count(), warned.length]).toEqual([1, 1]);
    clock.advance(20_001);
    await streams.look();
    expect(textOf(page)).toMatch(/^: /);
    streams.close();
  });

  it('hear of nothing while the database is away, get their signs of life, and none of them ends', async () => {
    const { streams, open, happen, broken, clock } = setUp();
    const pages = [await open('ada'), await open('bola')];
    for (const page of pages) textOf(page);
    broken.set('ada', databaseAway('away'));
    happen('payout.succeeded');
    clock.advance(20_001);
    await expect(streams.look()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(pages.map(textOf)).toEqual([': still here\n\n', ': still here\n\n']);
    broken.clear();
    await streams.look();
    for (const page of pages) expect(textOf(page)).toContain('payouts');
    streams.close();
  });

  it('cost a look that notifies all of them, and their end, as many steps as there are pages', async () => {
    const pages = 200;
    const { streams, happen } = setUp({ perPerson: 1, perMerchant: 1, inAll: pages });
    let steps = 0;
    for (let at = 0; at < pages; at += 1) {
      const merchantId = newId();
      const principal = principalOf('ada', merchantId);
      // Whoever goes through pages reads whose each is.
      const tenant = {
        mode: 'SANDBOX' as const,
        get merchantId() {
          steps += 1;
          return merchantId;
        },
      };
      await streams.open({ principal: { ...principal, tenant }, secret: 'ada', lastEventId: undefined });
    }
    happen('payout.succeeded');
    steps = 0;
    await streams.look();
    streams.close();
    expect(steps).toBeLessThan(20 * pages);
    expect(streams.count()).toBe(0);
  });

  it.each([
    ['the services of the merchant change', { services: ['PAYOUT'] }],
    ['its status changes', { status: 'SUSPENDED' }],
    ['its approval is taken back', { approved: false }],
  ])('end where %s', async (_, change) => {
    const { streams, open, signedIn } = setUp();
    const merchant = { merchantId: MERCHANT, status: 'ACTIVE', approved: true, services: ['PAYOUT', 'COLLECTION'] };
    Object.assign(signedIn, { merchant });
    const body = await open('ada');
    await streams.look();
    expect(streams.count()).toBe(1);
    Object.assign(signedIn, { merchant: { ...merchant, ...change } });
    await streams.look();
    expect(textOf(body)).toContain('RIGHTS_CHANGED');
    expect(streams.count()).toBe(0);
  });

  it('end with their session', async () => {
    const { streams, open, ended } = setUp();
    const body = await open('ada');
    ended.add('ada');
    await streams.look();
    expect(textOf(body)).toContain('SESSION_ENDED');
    expect(streams.count()).toBe(0);
  });
});

describe('topics', () => {
  it('are known of every event that there is', () => {
    expect(EVENT_TYPES.filter((type) => !knowsType(type))).toEqual([]);
  });

  it('are those that the role may read', () => {
    const of = (scopes: string[], permissions: string[]) =>
      topicsFor({ scopes: new Set(scopes), member: { permissions: new Set(permissions) } } as unknown as Principal);
    expect([...of(['wallet:read'], [])]).toEqual(['balances', 'accountNumbers']);
    expect([...of([], ['approval:read'])]).toEqual(['approvals']);
    const connection = createConnection({
      mode: 'LIVE',
      topics: of(['store:read'], []),
      heartbeatMs: 9e9,
      openedAtMs: 0,
    });
    connection.note(['balances', 'stores'], 7n);
    connection.flush(0);
    expect(textOf(connection.body)).toBe('id: LIVE.7\nevent: change\ndata: {"topics":["stores"]}\n\n');
  });

  it('count from a place of the same mode alone', () => {
    expect(sequenceOf('LIVE', 'LIVE.12')).toBe(12n);
    for (const nonsense of ['SANDBOX.12', 'LIVE.-1', 'LIVE.', '12', '', undefined, 'LIVE.9999999999999999999'])
      expect(sequenceOf('LIVE', nonsense)).toBeUndefined();
  });
});
