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
import { slowHashUnder } from '../../src/access/pin-hash.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { clockOf } from '../support/clock.ts';
import { lockWaits } from '../support/lock-waits.ts';
import {
  type AccessDatabase,
  approvedMerchant,
  createAccessDatabase,
  outcome,
  silent,
  testSecrets,
} from './access-database.ts';

const secrets = testSecrets();
const PEPPER = 'a pepper of before, of thirty-two letters';
const NEW_PEPPER = 'the pepper that is now, of thirty-two';
const KEK = Buffer.alloc(32, 7).toString('base64');
const HALF_AN_HOUR_MS = 30 * 60_000;
const PIN = '7294';

let store: AccessDatabase;
let database: Database;
let now: Date;
const clock = clockOf(() => now);
let merchantId: string;
let guard: PinGuard;
const sandbox = (id = merchantId): Tenant => ({ merchantId: id, mode: 'SANDBOX' });
const live = (id = merchantId): Tenant => ({ merchantId: id, mode: 'LIVE' });

beforeAll(async () => {
  store = await createAccessDatabase();
  database = store.database;
});
afterAll(() => store.drop());
beforeEach(async () => {
  now = new Date();
  merchantId = await approvedMerchant(database, secrets);
  guard = newGuard();
  await guard.setPin(sandbox(), PIN);
});

function newGuard(on: Database = database, under: Secrets = secrets): PinGuard {
  return createPinGuard({ database: on, secrets: under, clock });
}

function principal(pin: Principal['pin'] = { version: 1, lockedUntil: null }, tenant = sandbox()): Principal {
  return {
    tenant,
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

interface StoredRow {
  hash: string;
  pepper_ids: string[] | null;
  slow: string | null;
  failed_attempts: number;
}

async function storedPin({ merchantId: id, mode }: Tenant): Promise<StoredRow> {
  const sql = 'select hash, pepper_ids, slow, failed_attempts from pins where merchant_id = $1 and mode = $2';
  return (await database.pool.query<StoredRow>(sql, [id, mode])).rows[0] as StoredRow;
}

async function failedAttempts(tenant = sandbox()): Promise<number> {
  return (await storedPin(tenant)).failed_attempts;
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
    await newGuard().setPin(sandbox(), '830461');
    const fresh = principal({ version: 2, lockedUntil: null });
    expect(await verify(guard, PIN, fresh)).toBe('PIN_INVALID');
    expect(await verify(guard, '830461', fresh)).toBe('ok');
  });

  it('does not hand a guesser new attempts', async () => {
    for (const guess of wrongPins(4)) expect(await verify(guard, guess)).toBe('PIN_INVALID');
    expect(await verify(guard, PIN)).toBe('ok');
    expect(await verify(guard, '5555')).toBe('PIN_LOCKED');
  });
});

describe('wrong PINs', () => {
  it('say how many attempts are left, and the fifth locks for 30 minutes', async () => {
    const sentences: string[] = [];
    for (const guess of wrongPins(5)) {
      await Promise.resolve(guard.verifyPin(principal(), guess)).catch((error) => sentences.push(error.message));
    }
    expect(sentences.slice(0, 4).map((text) => /have (.+) left/.exec(text)?.[1])).toEqual([
      '4 attempts',
      '3 attempts',
      '2 attempts',
      'one attempt',
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
    await guard.unlockPin(sandbox());
    const same = await Promise.all(wrongPins(50).map(() => verify(guard, '5813')));
    expect(tally(same)).toEqual({ PIN_INVALID: 4, PIN_LOCKED: 46 });
  });

  it('50 at once over five processes: at most five are evaluated', async () => {
    const guards = Array.from({ length: 5 }, () => newGuard(store.connect()));
    const outcomes = await Promise.all(wrongPins(50).map((guess, at) => verify(guards[at % 5] as PinGuard, guess)));
    expect(tally(outcomes)).toEqual({ PIN_INVALID: 4, PIN_LOCKED: 46 });
    expect(await failedAttempts()).toBe(5);
  });

  it('at the very same moment in seven processes see each other: five are evaluated', async () => {
    const { merchantId: id, mode } = sandbox();
    const held = await database.pool.connect();
    await held.query('begin');
    await held.query('select 1 from pins where merchant_id = $1 and mode = $2 for update', [id, mode]);
    const guards = Array.from({ length: 7 }, () => newGuard(store.connect()));
    const outcomes = wrongPins(7).map((guess, at) => verify(guards[at] as PinGuard, guess));
    await expect.poll(() => lockWaits(store.url)).toBe(7);
    await held.query('commit');
    held.release();
    expect(tally(await Promise.all(outcomes))).toEqual({ PIN_INVALID: 4, PIN_LOCKED: 3 });
    expect(await failedAttempts()).toBe(5);
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
    expect(await failedAttempts()).toBe(1);
    expect(await verify(newGuard(), PIN)).toBe('ok');
  });

  it('of one merchant do not lock another', async () => {
    for (const guess of wrongPins(5)) await verify(guard, guess);
    merchantId = await approvedMerchant(database, secrets, 'Other');
    await guard.setPin(sandbox(), PIN);
    expect(await verify(guard, PIN)).toBe('ok');
  });
});

describe('setting a PIN', () => {
  it.each(['1111', '000000', '1234', '4321', '0123', '6789', '7890', '0987', '23456', '654321'])(
    'refuses %s as too easy to guess',
    async (pin) => {
      expect(await outcome(() => guard.setPin(sandbox(), pin))).toBe('PIN_TOO_SIMPLE');
    },
  );

  it.each(['', '123', '1234567', '12a4', ' 7294', '7294\n', '٧٢٩٤'])('refuses %j as no PIN', async (pin) => {
    expect(await outcome(() => guard.setPin(sandbox(), pin))).toBe('VALIDATION_FAILED');
    expect(await verify(guard, pin)).toBe('VALIDATION_FAILED');
    expect(await failedAttempts()).toBe(0);
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
    await guard.setPin(sandbox(), pin);
    await guard.setPin(sandbox(other), pin);
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

    const { rows } = await database.pool.query('select hash from pins where merchant_id = any($1)', [
      [merchantId, other],
    ]);
    expect(new Set(rows.map((row) => row.hash)).size).toBe(2);
    const dump = await database.pool.query(
      `select string_agg(t::text, '\n') as text from (
         select m::text as t from merchants m union all select p::text from pins p
         union all select k::text from api_keys k) as everything`,
    );
    for (const text of [dump.rows[0].text as string, lines.join('\n')]) {
      expect(text.length).toBeGreaterThan(100);
      for (const secret of [/\b902715\b/, /\b902716\b/, new RegExp(key), /22212345901/])
        expect(text).not.toMatch(secret);
    }
  });

  it('cannot be checked by someone who has the database and not the pepper', async () => {
    await database.pool.query('update pins set pepper_ids = null');
    expect(await verify(newGuard(database, testSecrets()), PIN)).toBe('PIN_INVALID');
  });
});

describe('a PIN for each mode', () => {
  const inMode = (tenant: Tenant) => principal({ version: 1, lockedUntil: null }, tenant);

  it('is its own: what opens the sandbox opens no live money', async () => {
    expect(await verify(guard, PIN, inMode(live()))).toBe('PIN_NOT_SET');
    await guard.setPin(live(), '860317');
    expect(await verify(guard, PIN, inMode(live()))).toBe('PIN_INVALID');
    expect(await verify(guard, '860317', inMode(live()))).toBe('ok');
    expect(await verify(guard, '860317')).toBe('PIN_INVALID');
  });

  it('has attempts of its own: guesses in the sandbox test and lock nothing of live money', async () => {
    await guard.setPin(live(), PIN);
    for (const guess of wrongPins(5)) await verify(guard, guess);
    expect(await verify(newGuard(), PIN)).toBe('PIN_LOCKED');
    expect(await failedAttempts(live())).toBe(0);
    expect(await verify(guard, PIN, inMode(live()))).toBe('ok');
    expect((await guard.readPin(live()))?.lockedUntil).toBeNull();
    await guard.unlockPin(live());
    expect(await verify(newGuard(), PIN)).toBe('PIN_LOCKED');
  });

  it('is stored in another way in each, also where it is the same', async () => {
    await guard.setPin(live(), PIN);
    expect((await storedPin(live())).hash).not.toBe((await storedPin(sandbox())).hash);
  });
});

/** A row of an earlier release: one slow hash, over the keyed hash of a PIN that both modes shared. */
async function storeSlowly(id: string, passes = 1): Promise<void> {
  const settings = `$argon2id$v=19$m=64,t=${passes},p=1$c2FsdHNhbHRzYWx0c2FsdA`;
  const hash = await slowHashUnder(settings, secrets.hmac('pin', `${id}:${PIN}`));
  await database.pool.query(
    `insert into pins (merchant_id, mode, hash, slow, version, failed_attempts, set_at)
     select $1, mode, $2, $3, 1, 0, now() from (values ('SANDBOX'), ('LIVE')) as modes (mode)
     on conflict (merchant_id, mode) do update set hash = excluded.hash, slow = excluded.slow, pepper_ids = null`,
    [id, hash, settings],
  );
}

describe('a PIN of an earlier release', () => {
  /** A second or so of one core, whatever the machine. */
  const LONG = 6_000;

  it('is right until it is next given, and is stored as a keyed hash from then on', async () => {
    await storeSlowly(merchantId);
    expect(await verify(guard, '1300')).toBe('PIN_INVALID');
    expect((await storedPin(sandbox())).slow).not.toBeNull();
    expect(await verify(guard, PIN)).toBe('ok');
    const stored = await storedPin(sandbox());
    expect([stored.slow, stored.pepper_ids, stored.failed_attempts]).toEqual([null, [secrets.pepperId], 1]);
    expect((await storedPin(live())).slow).not.toBeNull();
    expect(await verify(newGuard(), PIN)).toBe('ok');
  });

  it('takes no connection while its slow hash is made', async () => {
    await storeSlowly(merchantId, LONG);
    const alone = openDatabase({ connectionString: store.url, maxConnections: 1, logger: silent });
    const checked = verify(newGuard(alone), PIN);
    let answered = 0;
    let isChecked = false;
    void checked.then(() => (isChecked = true));
    while (!isChecked) {
      await alone.query(statement('test-anything', 'select 1'));
      answered += 1;
    }
    expect(await checked).toBe('ok');
    // Behind a connection that is held there is one answer, at the end.
    expect(answered).toBeGreaterThan(20);
    await alone.close();
  });

  it('keeps nobody waiting whose PIN is stored as it is now', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => approvedMerchant(database, secrets)));
    for (const other of others) await storeSlowly(other, LONG / 4);
    let slowOnes = 0;
    const slow = others.map(async (other) => {
      expect(await verify(guard, PIN, principal({ version: 1, lockedUntil: null }, sandbox(other)))).toBe('ok');
      slowOnes += 1;
    });
    expect(await verify(guard, PIN)).toBe('ok');
    expect(slowOnes).toBeLessThan(3);
    await Promise.all(slow);
  });
});

describe('the first PINs of many merchants', () => {
  it('are checked on a few connections, however many come at once', async () => {
    const merchants = await Promise.all(Array.from({ length: 60 }, () => approvedMerchant(database, secrets)));
    await Promise.all(merchants.map((id) => guard.setPin(sandbox(id), PIN)));
    const busy = openDatabase({ connectionString: store.url, maxConnections: 20, logger: silent });
    const cold = newGuard(busy);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, busy.pool.totalCount - busy.pool.idleCount)), 0);
    const outcomes = await Promise.all(
      merchants.map((id) => verify(cold, PIN, principal({ version: 1, lockedUntil: null }, sandbox(id)))),
    );
    clearInterval(watch);
    expect(tally(outcomes)).toEqual({ ok: 60 });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(3);
    await busy.close();
  });

  it('are counted by few statements, each for itself: right, wrong, locked and missing side by side', async () => {
    const merchants = await Promise.all(Array.from({ length: 40 }, () => approvedMerchant(database, secrets)));
    const kinds = ['right', 'wrong', 'last', 'locked', 'none'] as const;
    const kindOf = (at: number) => kinds[at % kinds.length] as (typeof kinds)[number];
    const withPin = merchants.filter((_, at) => kindOf(at) !== 'none');
    await Promise.all(withPin.map((id) => guard.setPin(sandbox(id), PIN)));
    const guesses = { last: 4, locked: 5 } as Record<string, number>;
    for (const [at, id] of merchants.entries())
      for (const guess of wrongPins(guesses[kindOf(at)] ?? 0))
        await verify(guard, guess, principal(undefined, sandbox(id)));
    let statements = 0;
    const query: Database['query'] = (statement, values) => {
      if (statement.name === 'update-pins-attempted') statements += 1;
      return database.query(statement, values);
    };
    const cold = newGuard({ ...database, query });
    const outcomes = await Promise.all(
      merchants.map((id, at) =>
        verify(cold, kindOf(at) === 'wrong' || kindOf(at) === 'last' ? '5813' : PIN, principal(undefined, sandbox(id))),
      ),
    );
    const expected = {
      right: 'ok',
      wrong: 'PIN_INVALID',
      last: 'PIN_LOCKED',
      locked: 'PIN_LOCKED',
      none: 'PIN_NOT_SET',
    };
    expect(outcomes).toEqual(merchants.map((_, at) => expected[kindOf(at)]));
    expect(statements).toBeLessThanOrEqual(4);
    const { rows: counts } = await database.pool.query<{ merchant_id: string; failed_attempts: number }>(
      'select merchant_id, failed_attempts from pins where merchant_id = any($1::uuid[])',
      [merchants],
    );
    const attempts = { right: 0, wrong: 1, last: 5, locked: 5, none: undefined };
    const countOf = (id: string) => counts.find(({ merchant_id }) => merchant_id === id)?.failed_attempts;
    expect(merchants.map(countOf)).toEqual(merchants.map((_, at) => attempts[kindOf(at)]));
  });
});

describe('another pepper', () => {
  it('leaves every PIN right while the one before is given, and stores it anew where it is given', async () => {
    const after = createSecrets(NEW_PEPPER, KEK, [PEPPER]);
    const before = createSecrets(PEPPER, KEK);
    await newGuard(database, before).setPin(sandbox(), PIN);
    expect(await verify(newGuard(database, after), '1300')).toBe('PIN_INVALID');
    expect((await storedPin(sandbox())).pepper_ids).toEqual([before.pepperId]);
    expect(await verify(newGuard(database, after), PIN)).toBe('ok');
    expect((await storedPin(sandbox())).pepper_ids).toEqual([after.pepperId]);
    expect(await verify(newGuard(database, createSecrets(NEW_PEPPER, KEK)), PIN)).toBe('ok');
  });

  it('without the one before makes no right PIN a wrong one: nothing is counted, and it is said that it cannot be checked', async () => {
    await newGuard(database, createSecrets(PEPPER, KEK)).setPin(sandbox(), PIN);
    const without = newGuard(database, createSecrets(NEW_PEPPER, KEK));
    for (const guess of wrongPins(7)) expect(await verify(without, guess)).toBe('SERVICE_UNAVAILABLE');
    expect(await verify(without, PIN)).toBe('SERVICE_UNAVAILABLE');
    expect(await failedAttempts()).toBe(0);
  });
});
