import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { updatePayoutLeasesReleased } from '../../src/payout-delivery/queries.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import { paySingle, type SingleInput } from '../../src/payouts/single-payout.ts';
import { AppError } from '../../src/platform/errors.ts';
import { requestIds } from '../../src/platform/ids.ts';
import { NotSentError, type RailCaller } from '../../src/rails/index.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { singleOf } from './batch-fixture.ts';
import {
  gone,
  KILLED,
  killedAt,
  LEASED,
  processWithWorker,
  QUEUED,
  RELEASED,
  rowsOf,
  standOf,
  withCommit,
  withLostAnswers,
  withSends,
} from './lease-fixture.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  payment,
  railsOf,
  untilQuiet,
} from './payout-fixture.ts';
import { PAID, scriptedRail } from './scripted-rail.ts';

vi.setConfig({ testTimeout: 120_000 });

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => {
  fixture.deps.newLeases = undefined;
});
afterAll(async () => {
  const { checks } = await verifyBooks(fixture.database);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  await fixture.close();
});

const inputOf = (merchant: Merchant, at = 0, fields: Partial<SingleInput> = {}) =>
  singleOf(
    merchant,
    { amount: 1_000 + at, bankCode: '058', accountNumber: String(3_000_000_000 + at), narration: `Invoice ${at}` },
    { allowDuplicate: true, ...fields },
  );

const keyOf = (key: string) => ({ key, inputHash: 'of one body', requestId: requestIds()() });

async function expectPaidOnce(merchant: Merchant, count: number): Promise<void> {
  const stand = await standOf(fixture, merchant);
  expect(stand.every(({ status, leased }) => status === 'SUCCESS' && !leased)).toBe(true);
  expect(stand.reduce((sum, { payouts }) => sum + payouts, 0)).toBe(count);
  const sent = await executed(fixture, merchant.tenant);
  expect(new Set(sent.map(({ railReference }) => railReference)).size).toBe(count);
  expect(sent).toHaveLength(count);
  const { bookedMinor, availableMinor } = await merchant.balance();
  expect(bookedMinor).toBe(availableMinor);
}

/** Certainly unsent, and sent at once by whoever is next. */
async function expectReleased(merchant: Merchant): Promise<void> {
  expect(await standOf(fixture, merchant)).toEqual([{ ...RELEASED, payouts: 1 }]);
  await fixture.worker.runOnce();
  await expectPaidOnce(merchant, 1);
}

describe('a payout that a request makes where a worker has capacity for it', () => {
  it('is leased and PROCESSING in the movement that makes it, with its attempt and events, and is answered as queued', async () => {
    const merchant = await fixture.addMerchant();
    fixture.deps.newLeases = processWithWorker(withSends(fixture, gone)).deps.newLeases;
    const reply = await merchant.call('POST', '/payout/single', payment());
    expect(reply).toMatchObject({
      status: 200,
      body: { message: 'Payout has been accepted', data: { status: 'QUEUED' } },
    });
    expect(await standOf(fixture, merchant)).toEqual([{ ...LEASED, payouts: 1 }]);
    const attempts = `select kind, ended_at from payout_attempts where merchant_id = $1`;
    expect(await rowsOf(fixture, attempts, merchant)).toEqual([{ kind: 'SEND', ended_at: null }]);
    const events = `select type from events where merchant_id = $1 and type like 'payout.%' order by sequence`;
    expect(await rowsOf(fixture, events, merchant)).toEqual([{ type: 'payout.queued' }, { type: 'payout.processing' }]);
    const steps = `select from_state, to_state from state_changes s
                    where merchant_id = $1 and subject = 'transaction' and subject_id in (select id from payouts)`;
    expect(await rowsOf(fixture, steps, merchant)).toEqual([{ from_state: 'QUEUED', to_state: 'PROCESSING' }]);
    // The process is gone: another one asks first, and sends what the rail does not know.
    await untilQuiet(fixture, merchant);
    await expectPaidOnce(merchant, 1);
  });

  it('is paid without a look at the queue', async () => {
    const merchant = await fixture.addMerchant();
    const { deps, source } = processWithWorker(fixture.deps);
    fixture.deps.newLeases = deps.newLeases;
    for (let at = 0; at < 5; at += 1) {
      expect((await merchant.call('POST', '/payout/single', payment({ amount: 500 + at }))).status).toBe(200);
    }
    await source.settle();
    await expectPaidOnce(merchant, 5);
  });

  it.each(KILLED)('is paid once, of forty at once, where its process is killed %s', async (step) => {
    const merchant = await fixture.addMerchant();
    const killed = killedAt(fixture, step, 15);
    const { deps } = processWithWorker(killed.deps);
    for (let at = 0; at < 40; at += 1) void paySingle(deps, inputOf(merchant, at));
    await expect.poll(killed.isDead).toBe(true);
    // What was on its way to the books when the process died.
    await fixture.deps.ledger.drain();
    await untilQuiet(fixture, merchant);
    const made = (await standOf(fixture, merchant)).reduce((sum, { payouts }) => sum + payouts, 0);
    expect(made).toBeGreaterThanOrEqual(10);
    await expectPaidOnce(merchant, made);
  });

  it('is made and sent once by twenty requests with one key, and each has its answer', async () => {
    const merchant = await fixture.addMerchant();
    const [here, there] = [processWithWorker(fixture.deps), await fixture.otherProcess()];
    const far = processWithWorker(there.deps);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        paySingle(at % 2 === 0 ? here.deps : far.deps, inputOf(merchant, 0, { idempotency: keyOf('the same') })),
      ),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
    await Promise.all([here.source.settle(), far.source.settle()]);
    await untilQuiet(fixture, merchant);
    await expectPaidOnce(merchant, 1);
    await there.close();
  });

  it('is paid once by three processes at once that also look at the queue, and is asked to be sent once', async () => {
    const merchant = await fixture.addMerchant();
    const others = [await fixture.otherProcess(), await fixture.otherProcess(), await fixture.otherProcess()];
    const processes = others.map(({ deps }) => processWithWorker(deps));
    const pay = Array.from({ length: 300 }, (_, at) =>
      paySingle((processes[at % 3] as (typeof processes)[number]).deps, inputOf(merchant, at)),
    );
    await Promise.all([...pay, ...processes.map(({ source }) => source.look())]);
    await Promise.all(processes.map(({ source }) => source.settle()));
    await untilQuiet(fixture, merchant);
    await expectPaidOnce(merchant, 300);
    const sends = `select count(*)::int as sends from payout_attempts where merchant_id = $1 and kind = 'SEND'`;
    expect(await rowsOf(fixture, sends, merchant)).toEqual([{ sends: 300 }]);
    await Promise.all(others.map((other) => other.close()));
  });

  it('that is refused leaves nothing in hand and nothing to be released', async () => {
    const merchant = await fixture.addMerchant(0);
    const writes = vi.spyOn(fixture.database, 'run');
    const { deps, source } = processWithWorker(fixture.deps);
    for (let at = 0; at < 600; at += 1) {
      await expect(paySingle(deps, inputOf(merchant, at))).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    }
    expect(writes.mock.calls.map(([{ name }]) => name)).not.toContain(updatePayoutLeasesReleased.name);
    writes.mockRestore();
    await source.settle();
    expect(await standOf(fixture, merchant)).toEqual([]);
    expect(await source.newLeases.reserveOne(merchant.tenant)).toBeDefined();
  });

  it('that was committed without an answer leaves nothing in hand: it is sent at once by whoever is next', async () => {
    const merchant = await fixture.addMerchant();
    const { deps, source } = processWithWorker(withLostAnswers(fixture.deps));
    await expect(paySingle(deps, inputOf(merchant))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await source.settle();
    await expectReleased(merchant);
  });

  it('that was committed without an answer is released once the database, which was away, is back', async () => {
    const merchant = await fixture.addMerchant();
    let left = 0;
    const { database } = fixture.deps;
    const run: PayoutDeps['database']['run'] = async (into, rows) => {
      left -= 1;
      if (left >= 0) throw new AppError('unavailable', 'SERVICE_UNAVAILABLE', 'the database is away');
      return database.run(into, rows);
    };
    const { deps, source } = processWithWorker(
      withLostAnswers({ ...fixture.deps, database: { ...database, run } }, () => {
        left = 2;
      }),
    );
    await expect(paySingle(deps, inputOf(merchant))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await source.settle();
    await expectReleased(merchant);
  });

  it('that was released may go to another rail, and the books say that nothing had left before', async () => {
    const merchant = await fixture.addMerchant();
    const [first, second] = [scriptedRail('first'), scriptedRail('second')];
    first.rail.send = () => Promise.reject(new NotSentError('no such bank here', { answered: true }));
    second.send = PAID;
    const both = { ...fixture.deps, rails: railsOf(first.caller, second.caller) };
    const { deps, source } = processWithWorker(withLostAnswers(both));
    await expect(paySingle(deps, inputOf(merchant))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await source.settle();
    const attempts = `select rail, kind, outcome, reason from payout_attempts where merchant_id = $1 order by id`;
    const unsent = { rail: 'first', kind: 'SEND', outcome: 'unknown', reason: 'RAIL_CALL_ABANDONED' };
    expect(await rowsOf(fixture, attempts, merchant)).toEqual([unsent]);
    const worker = createPayoutWorker(both);
    await worker.runOnce();
    fixture.clock.advance(6_000);
    await worker.runOnce();
    expect(second.sends).toHaveLength(1);
    expect((await standOf(fixture, merchant)).map(({ status }) => status)).toEqual(['SUCCESS']);
  });

  it('whose commit took nearly as long as its lease is released, and sent at once by whoever is next', async () => {
    const merchant = await fixture.addMerchant();
    const { deps, source } = processWithWorker(
      withCommit(fixture.deps, async (movement) => {
        const done = await fixture.deps.ledger.commit(movement);
        fixture.clock.advance(26_000);
        return done;
      }),
    );
    await paySingle(deps, inputOf(merchant));
    await source.settle();
    await expectReleased(merchant);
  });

  it('keeps its reference where its rail does not say whose a transfer is', async () => {
    const other = scriptedRail('other');
    other.send = PAID;
    const merchant = await fixture.addMerchant();
    const { deps, source } = processWithWorker({ ...fixture.deps, rails: railsOf(other.caller, fixture.caller) });
    await paySingle(deps, inputOf(merchant));
    await source.settle();
    expect(other.sends).toHaveLength(1);
    const known = `select count(*)::int as known from rail_references r join payouts p on p.id = r.payout_id
                    where p.merchant_id = $1 and r.rail_reference = p.rail_reference and r.rail = 'other'`;
    expect(await rowsOf(fixture, known, merchant)).toEqual([{ known: 1 }]);
  });
});

describe('a payout that a request makes waits for a lease', () => {
  const paidBy = async (deps: PayoutDeps, merchant: Merchant) => {
    const { source, ...made } = processWithWorker(deps);
    await paySingle(made.deps, inputOf(merchant));
    await source.settle();
    expect(await standOf(fixture, merchant)).toEqual([{ ...QUEUED, payouts: 1 }]);
    await fixture.worker.runOnce();
    await expectPaidOnce(merchant, 1);
  };

  it('where its merchant is suspended meanwhile', async () => {
    await paidBy({ ...fixture.deps, isSuspended: async () => true }, await fixture.addMerchant());
  });

  it('where its rail takes no calls', async () => {
    const open: RailCaller = { ...fixture.caller, circuit: () => 'open' };
    await paidBy({ ...fixture.deps, rails: railsOf(open) }, await fixture.addMerchant());
  });

  it('where something is found about it: only a lease opens cases', async () => {
    const listFound: PayoutDeps['payoutGuard']['listFound'] = async (payouts) => new Set(payouts.map(({ id }) => id));
    await paidBy(
      { ...fixture.deps, payoutGuard: { ...fixture.deps.payoutGuard, listFound } },
      await fixture.addMerchant(),
    );
  });

  it('where nobody says soon whether something is found about it', async () => {
    await paidBy(
      { ...fixture.deps, payoutGuard: { ...fixture.deps.payoutGuard, listFound: gone } },
      await fixture.addMerchant(),
    );
  });

  it('where its rails cannot be read any more', async () => {
    const away = { ...fixture.deps.rails, listRails: () => Promise.reject(new Error('the database is away')) };
    const merchant = await fixture.addMerchant();
    const { newLeases } = processWithWorker({ ...fixture.deps, rails: away }).deps;
    await paySingle({ ...fixture.deps, newLeases }, inputOf(merchant));
    expect(await standOf(fixture, merchant)).toEqual([{ ...QUEUED, payouts: 1 }]);
    await fixture.worker.runOnce();
    await expectPaidOnce(merchant, 1);
  });

  it('where the worker of its process was not started, or stops', async () => {
    const merchant = await fixture.addMerchant();
    const worker = createPayoutWorker(fixture.deps);
    expect(await worker.newLeases.reserveOne(merchant.tenant)).toBeUndefined();
    const { source } = processWithWorker(fixture.deps);
    expect(await source.newLeases.reserveOne(merchant.tenant)).toBeDefined();
    source.close();
    expect(await source.newLeases.reserveOne(merchant.tenant)).toBeUndefined();
  });

  it('where half of what its merchant may have in hand is taken, and the others are leased as they were before', async () => {
    const merchant = await fixture.addMerchant();
    const released = Promise.withResolvers<void>();
    const { deps, source } = processWithWorker(
      withSends(fixture, async (request, next) => {
        await released.promise;
        return next(request);
      }),
    );
    for (let at = 0; at < 300; at += 1) await paySingle(deps, inputOf(merchant, at));
    expect(await standOf(fixture, merchant)).toEqual([
      { ...LEASED, payouts: 256 },
      { ...QUEUED, payouts: 44 },
    ]);
    await source.look();
    await expect.poll(() => standOf(fixture, merchant)).toEqual([{ ...LEASED, payouts: 300 }]);
    released.resolve();
    await source.settle();
    await expectPaidOnce(merchant, 300);
  });

  it('where merchants together have half of what the worker may have in hand', async () => {
    const { source } = processWithWorker(fixture.deps);
    for (let merchants = 0; merchants < 8; merchants += 1) {
      const tenant = (await fixture.addMerchant(0)).tenant;
      for (let at = 0; at < 256; at += 1) expect(await source.newLeases.reserveOne(tenant)).toBeDefined();
    }
    expect(await source.newLeases.reserveOne((await fixture.addMerchant(0)).tenant)).toBeUndefined();
  });
});

describe('a worker that stops', () => {
  it('while a request makes a payout waits for it, and releases it unsent', async () => {
    const merchant = await fixture.addMerchant();
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stopping = withCommit(fixture.deps, async (movement) => {
      if (movement.events?.[0]?.type === 'payout.queued') {
        reached.resolve();
        await goOn.promise;
      }
      return fixture.deps.ledger.commit(movement);
    });
    const worker = createPayoutWorker(stopping, { pollMs: 60_000 });
    worker.start();
    const paid = paySingle({ ...stopping, newLeases: worker.newLeases }, inputOf(merchant));
    await reached.promise;
    const stopped = worker.stop();
    goOn.resolve();
    await Promise.all([paid, stopped]);
    expect(await standOf(fixture, merchant)).toEqual([{ ...RELEASED, payouts: 1 }]);
    await fixture.worker.runOnce();
    await expectPaidOnce(merchant, 1);
  });
});
