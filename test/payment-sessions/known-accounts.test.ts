import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IdempotencyKey } from '../../src/ledger/index.ts';
import type { ReadSession } from '../../src/payment-sessions/change-session.ts';
import type { SessionDeps } from '../../src/payment-sessions/deps.ts';
import { openFor } from '../../src/payment-sessions/open-session.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { type CollectionFixture, createCollectionFixture } from '../collections/fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { asked, openedSession } from './support.ts';

let fixture: CollectionFixture;
/** The number that the next session has, where a test says it. */
let given: string | undefined;

/** A provider whose accounts follow from what is asked for, as the sandbox's do. */
beforeAll(async () => {
  fixture = await createCollectionFixture();
  const { clock, script } = fixture;
  script.provider.oneTimeAccountOf = ({ reference, amountMinor, expiresAt }) => ({
    ...{ code: '00', reason: null, message: 'Done', at: clock.now() },
    outcome: 'opened',
    accounts: [{ bankCode: '035', bankName: 'Wema Bank', accountNumber: given ?? number(), accountName: 'ADA' }],
    providerReference: `p${reference}`,
    expiresAt,
    payableMinor: amountMinor,
    ussdCode: null,
  });
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});
beforeEach(() => {
  given = undefined;
});

const number = () => String(randomInt(1_000_000_000, 9_999_999_999));
const keyed = (key: string, inputHash = 'input'): IdempotencyKey => ({
  key,
  inputHash,
  requestId: `requests-${key.replaceAll(' ', '')}`,
});

/** What has rows of a merchant after something failed. */
async function rowsOf({ merchantId }: Tenant): Promise<Record<string, number>> {
  const tables = [
    'payment_sessions',
    'payment_session_accounts',
    'receiving_numbers',
    'idempotency_keys',
    'unique_keys',
  ];
  const { rows } = await fixture.database.pool.query(
    tables
      .map((table) => `select '${table}' as name, count(*)::int as n from ${table} where merchant_id = $1`)
      .join(' union all '),
    [merchantId],
  );
  return Object.fromEntries(rows.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]));
}

/** The deps with a ledger that counts its commits, or fails the first of them. */
function counting(deps: SessionDeps, fails = false) {
  const counted = { commits: 0 };
  const commit: SessionDeps['ledger']['commit'] = (movement) => {
    counted.commits += 1;
    return fails ? Promise.reject(new Error('killed')) : deps.ledger.commit(movement);
  };
  return { counted, deps: { ...deps, ledger: { ...deps.ledger, commit } } };
}

describe('a session whose account follows from it', () => {
  it('is opened by one movement, with nobody asked, and is paid as any other', async () => {
    const before = fixture.script.opens;
    const { counted, deps } = counting(fixture.deps);
    const { read, pay, balance, events, accountNumber } = await openedSession(fixture, {}, deps);
    expect([counted.commits, fixture.script.opens - before]).toEqual([1, 0]);
    expect(await read()).toMatchObject({ status: 'OPEN', version: 2, accounts: [{ accountNumber }] });
    expect(await events()).toEqual(['created', 'opened']);
    await pay(100_00n);
    expect(await balance()).toBe(100_00n);
    expect(await read()).toMatchObject({ status: 'PAID', version: 3 });
  });

  it('has the same history as one whose provider was asked', async () => {
    const { sessionId } = await openedSession(fixture);
    const { rows } = await fixture.database.pool.query(
      `select from_state, to_state from state_changes where subject_id = $1`,
      [sessionId],
    );
    expect(rows).toEqual([{ from_state: 'OPENING', to_state: 'OPEN' }]);
  });

  it('leaves nothing where the process dies before its commit, and is opened by the next attempt', async () => {
    const { tenant } = await fixture.addMerchant();
    const key = keyed('died');
    const request = asked(tenant, { idempotencyKey: key.key });
    await expect(openFor(counting(fixture.deps, true).deps, request, key)).rejects.toThrow('killed');
    expect(await rowsOf(tenant)).toEqual({});
    expect(await openFor(fixture.deps, request, key)).toMatchObject({ replayed: false });
    expect(await rowsOf(tenant)).toMatchObject({ payment_sessions: 1, receiving_numbers: 1, idempotency_keys: 1 });
  });

  it('is one of twenty that are asked for at once in two processes under one key, each with the same answer', async () => {
    const { tenant } = await fixture.addMerchant();
    const database = fixture.base.open(4);
    const other = fixture.another(database);
    const key = keyed('at once');
    const request = asked(tenant, { idempotencyKey: key.key });
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, at) => openFor(at % 2 === 0 ? fixture.deps : other, request, key)),
    );
    const answers = opened.flatMap((one) => ('answer' in one ? [one] : []));
    expect(new Set(answers.map(({ answer }) => answer.body)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(answers).toHaveLength(20);
    expect(await rowsOf(tenant)).toMatchObject({ payment_sessions: 1, receiving_numbers: 1, idempotency_keys: 1 });
    await expect(openFor(other, request, keyed('at once', 'other input'))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await other.ledger.drain();
    await database.close();
  });

  it('is found again by its reference, and a reference of another content is refused and kept under no key', async () => {
    const { tenant } = await fixture.addMerchant();
    const first = (await openFor(fixture.deps, asked(tenant, { reference: 'R1' }), undefined)) as ReadSession;
    const again = await openFor(fixture.deps, asked(tenant, { reference: 'R1' }), keyed('again'));
    expect('row' in again && again.row.id).toBe(first.row.id);
    await expect(
      openFor(fixture.deps, asked(tenant, { reference: 'R1', amountMinor: 1n }), keyed('other')),
    ).rejects.toMatchObject({ code: 'PAYMENT_SESSION_REFERENCE_TAKEN', retryable: false });
    expect(await rowsOf(tenant)).toMatchObject({ payment_sessions: 1, receiving_numbers: 1 });
    expect(await rowsOf(tenant)).not.toHaveProperty('idempotency_keys');
  });
});

describe('a number that somebody has', () => {
  it('is asked for as any other: the provider gives another, and the older session keeps its own', async () => {
    given = number();
    const first = await openedSession(fixture);
    const second = await openedSession(fixture);
    expect(first.accountNumber).toBe(given);
    expect(second.accountNumber).not.toBe(given);
    expect(await second.read()).toMatchObject({ status: 'OPEN', version: 2 });
    await first.pay(100_00n);
    expect(await first.read()).toMatchObject({ status: 'PAID' });
    expect(await second.read()).toMatchObject({ status: 'OPEN' });
  });

  it('is of one of twenty merchants that take it at once in two processes, and each session is open', async () => {
    const merchants = [];
    for (let at = 0; at < 20; at += 1) merchants.push(await fixture.addMerchant());
    const database = fixture.base.open(4);
    const other = fixture.another(database);
    given = number();
    const opened = (await Promise.all(
      merchants.map(({ tenant }, at) => openFor(at % 2 === 0 ? fixture.deps : other, asked(tenant), undefined)),
    )) as ReadSession[];
    expect(new Set(opened.map(({ row }) => row.status))).toEqual(new Set(['OPEN']));
    const numbers = opened.map(({ accounts }) => accounts[0]?.account_number);
    expect(numbers.filter((one) => one === given)).toHaveLength(1);
    expect(new Set(numbers).size).toBe(20);
    await other.ledger.drain();
    await database.close();
  });
});

describe('the proof of the books', () => {
  it('finds a key of such a session that names another event than the one it was answered with', async () => {
    const { tenant } = await fixture.addMerchant();
    await openFor(fixture.deps, asked(tenant, { idempotencyKey: 'proved' }), keyed('proved'));
    const move = (by: number) =>
      fixture.database.pool.query(
        `update idempotency_keys set event_sequence = event_sequence + $2 where merchant_id = $1`,
        [tenant.merchantId, by],
      );
    await move(-1);
    expect((await brokenChecks(fixture.database)).map(({ name }) => name)).toEqual([
      'idempotency-keys-lead-to-their-effects',
    ]);
    await move(1);
  });
});
