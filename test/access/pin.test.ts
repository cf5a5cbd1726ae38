import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createAuthenticator,
  createPinGuard,
  issueApiKey,
  type PinGuard,
  type Principal,
} from '../../src/access/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import {
  type AccessDatabase,
  approvedMerchant,
  createAccessDatabase,
  outcome,
  testSecrets,
} from './access-database.ts';

const secrets = testSecrets();
const HALF_AN_HOUR_MS = 30 * 60_000;
const PIN = '7294';

let store: AccessDatabase;
let database: Database;
let now: Date;
const clock = { now: () => now };
let merchantId: string;
let guard: PinGuard;

beforeAll(async () => {
  store = await createAccessDatabase();
  database = store.database;
});
afterAll(() => store.drop());
beforeEach(async () => {
  now = new Date();
  merchantId = await approvedMerchant(database, secrets);
  guard = newGuard();
  await guard.setPin(merchantId, PIN);
});

function newGuard(on: Database = database): PinGuard {
  return createPinGuard({ database: on, secrets, clock });
}

function principal(pin: Principal['pin'] = { version: 1, lockedUntil: null }): Principal {
  return {
    tenant: { merchantId, mode: 'SANDBOX' },
    keyId: '0193a4b2-7c11-7d2e-9f00-5f3a1c2b4d6e',
    keyKind: 'SECRET',
    keyCreatedBy: null,
    via: 'API_KEY',
    member: null,
    scopes: new Set(),
    merchant: { status: 'ACTIVE', approved: true, businessName: 'Ada Foods' },
    services: new Set(),
    pin,
  };
}

const verify = (by: PinGuard, pin: string, who = principal()) => outcome(() => by.verifyPin(who, pin));

function wrongPins(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(1_300 + at));
}

function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of outcomes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

async function failedTries(): Promise<number> {
  const { rows } = await database.pool.query('select failed_tries from merchant_pins where merchant_id = $1', [
    merchantId,
  ]);
  return rows[0].failed_tries;
}

describe('a right PIN', () => {
  it('passes 200 times at once on a cold start and is evaluated once', async () => {
    const before = process.cpuUsage();
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => verify(guard, PIN)));
    expect(tally(outcomes)).toEqual({ ok: 200 });
    // Two hundred evaluations take several seconds of the processor, however busy it is with others.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('passes at once, without a promise, when it was proved before', async () => {
    await guard.verifyPin(principal(), PIN);
    expect(guard.verifyPin(principal(), PIN)).toBeUndefined();
  });

  it('is proved again once the PIN has a new version', async () => {
    await guard.verifyPin(principal(), PIN);
    await newGuard().setPin(merchantId, '830461');
    const fresh = principal({ version: 2, lockedUntil: null });
    expect(await verify(guard, PIN, fresh)).toBe('PIN_INVALID');
    expect(await verify(guard, '830461', fresh)).toBe('ok');
  });

  it('does not hand a guesser new tries', async () => {
    for (const guess of wrongPins(4)) expect(await verify(guard, guess)).toBe('PIN_INVALID');
    expect(await verify(guard, PIN)).toBe('ok');
    expect(await verify(guard, '5555')).toBe('PIN_LOCKED');
  });
});

describe('wrong PINs', () => {
  it('say how many tries are left, and the fifth locks for 30 minutes', async () => {
    const sentences: string[] = [];
    for (const guess of wrongPins(5)) {
      await Promise.resolve(guard.verifyPin(principal(), guess)).catch((error) => sentences.push(error.message));
    }
    expect(sentences.slice(0, 4).map((text) => /have (.+) left/.exec(text)?.[1])).toEqual([
      '4 tries',
      '3 tries',
      '2 tries',
      'one try',
    ]);
    const refusal = await Promise.resolve()
      .then(() => guard.verifyPin(principal(), PIN))
      .catch((error) => error);
    expect(refusal).toMatchObject({ kind: 'locked', code: 'PIN_LOCKED', retryAfterSeconds: 1_800 });
    expect(sentences[4]).toMatch(/locked until \d+ \w+ \d{4}, \d\d:\d\d Lagos time/);
  });

  it('50 at once in one process: at most five are evaluated, whether they differ or not', async () => {
    const different = await Promise.all(wrongPins(50).map((guess) => verify(guard, guess)));
    expect(tally(different)).toEqual({ PIN_INVALID: 4, PIN_LOCKED: 46 });
    await guard.unlockPin(merchantId);
    const same = await Promise.all(wrongPins(50).map(() => verify(guard, '5813')));
    expect(tally(same)).toEqual({ PIN_INVALID: 4, PIN_LOCKED: 46 });
  });

  it('50 at once over five processes: at most five are evaluated', async () => {
    const guards = Array.from({ length: 5 }, () => newGuard(store.connect()));
    const outcomes = await Promise.all(wrongPins(50).map((guess, at) => verify(guards[at % 5] as PinGuard, guess)));
    expect(tally(outcomes)).toEqual({ PIN_INVALID: 4, PIN_LOCKED: 46 });
    expect(await failedTries()).toBe(5);
  });

  it('cannot find the right PIN in a flood where it was proved before', async () => {
    await guard.verifyPin(principal(), PIN);
    const flood = [...wrongPins(40), PIN, ...wrongPins(9)];
    const outcomes = await Promise.all(flood.map((guess) => verify(guard, guess)));
    expect(tally(outcomes)).toEqual({ PIN_INVALID: 4, PIN_LOCKED: 46 });
  });

  it('lock also the right PIN, in a new process and where it was proved before', async () => {
    const proved = newGuard(store.connect());
    await proved.verifyPin(principal(), PIN);
    for (const guess of wrongPins(5)) await verify(guard, guess);
    expect(await verify(guard, PIN)).toBe('PIN_LOCKED');
    expect(await verify(newGuard(), PIN)).toBe('PIN_LOCKED');
    const asRefreshed = principal({ version: 1, lockedUntil: new Date(now.getTime() + HALF_AN_HOUR_MS) });
    expect(await verify(proved, PIN, asRefreshed)).toBe('PIN_LOCKED');
  });

  it('are forgiven when the lock is over, and count from the start', async () => {
    for (const guess of wrongPins(5)) await verify(guard, guess);
    now = new Date(now.getTime() + HALF_AN_HOUR_MS - 1);
    expect(await verify(newGuard(), PIN)).toBe('PIN_LOCKED');
    now = new Date(now.getTime() + 1);
    expect(await verify(newGuard(), '1300')).toBe('PIN_INVALID');
    expect(await failedTries()).toBe(1);
    expect(await verify(newGuard(), PIN)).toBe('ok');
  });

  it('of one merchant do not lock another', async () => {
    for (const guess of wrongPins(5)) await verify(guard, guess);
    merchantId = await approvedMerchant(database, secrets, 'Other');
    await guard.setPin(merchantId, PIN);
    expect(await verify(guard, PIN)).toBe('ok');
  });
});

describe('setting a PIN', () => {
  it.each(['1111', '000000', '1234', '4321', '0123', '6789', '7890', '0987', '23456', '654321'])(
    'refuses %s as too easy to guess',
    async (pin) => {
      expect(await outcome(() => guard.setPin(merchantId, pin))).toBe('PIN_TOO_SIMPLE');
    },
  );

  it.each(['', '123', '1234567', '12a4', ' 7294', '7294\n', '٧٢٩٤'])('refuses %j as no PIN', async (pin) => {
    expect(await outcome(() => guard.setPin(merchantId, pin))).toBe('VALIDATION_FAILED');
    expect(await verify(guard, pin)).toBe('VALIDATION_FAILED');
    expect(await failedTries()).toBe(0);
  });

  it('is needed before anything takes a PIN', async () => {
    merchantId = await approvedMerchant(database, secrets, 'New');
    expect(await verify(guard, PIN, principal(null))).toBe('PIN_NOT_SET');
  });
});

describe('the PIN itself', () => {
  it('is in no table and no log, and two merchants with one PIN do not look alike', async () => {
    const other = await approvedMerchant(database, secrets, 'Twin');
    const pin = '902715';
    await guard.setPin(merchantId, pin);
    await guard.setPin(other, pin);
    const lines: string[] = [];
    const logger = pino(
      { level: 'trace' },
      new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }),
    );
    const logging = openDatabase({ connectionString: store.url, maxConnections: 2, logger });
    const authenticator = createAuthenticator({ database: logging, secrets, clock: systemClock, logger });
    const { key } = await issueApiKey({ database, secrets, clock }, { merchantId, mode: 'SANDBOX', kind: 'SECRET' });
    const who = await authenticator.authenticate(`Bearer ${key}`, '127.0.0.1');
    expect(who.pin).toEqual({ version: 2, lockedUntil: null });
    await newGuard(logging).verifyPin(who, pin);
    const refusal = await Promise.resolve(newGuard(logging).verifyPin(who, '902716')).catch((error) => error);
    logger.error({ err: refusal }, 'a refusal');
    authenticator.close();
    await logging.close();

    const { rows } = await database.pool.query('select pin_hash from merchant_pins where merchant_id = any($1)', [
      [merchantId, other],
    ]);
    expect(new Set(rows.map((row) => row.pin_hash)).size).toBe(2);
    const dump = await database.pool.query(
      `select string_agg(t::text, '\n') as text from (
         select m::text as t from merchants m union all select p::text from merchant_pins p
         union all select k::text from api_keys k) as everything`,
    );
    for (const text of [dump.rows[0].text as string, lines.join('\n')]) {
      expect(text.length).toBeGreaterThan(100);
      for (const secret of [/\b902715\b/, /\b902716\b/, new RegExp(key), /22212345901/])
        expect(text).not.toMatch(secret);
    }
  });

  it('cannot be checked by someone who has the database and not the pepper', async () => {
    const stranger = createPinGuard({ database, secrets: testSecrets(), clock });
    expect(await verify(stranger, PIN)).toBe('PIN_INVALID');
  });
});
