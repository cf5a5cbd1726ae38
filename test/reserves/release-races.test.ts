import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.ts';
import { moved } from '../support/moved.ts';
import { brokenChecks } from '../support/proof.ts';
import { createReserveFixture, DAY_MS, type ReserveFixture } from './fixture.ts';

let fixture: ReserveFixture;

beforeAll(async () => {
  fixture = await createReserveFixture();
  await fixture.keep({ days: 7 });
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const PAYMENTS = 12;

async function paidPayee() {
  const payee = await fixture.payee();
  await Promise.all(Array.from({ length: PAYMENTS }, () => fixture.byCard(payee, 100_00n)));
  expect(await payee.balance()).toBe(BigInt(PAYMENTS) * 90_00n);
  return payee;
}

const totalOf = (releases: readonly { amount_minor: bigint }[]) =>
  releases.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);

describe('what is kept of many payments', () => {
  it('is kept of each once, however often and by however many processes it is reported', async () => {
    const payee = await fixture.payee();
    const hints = await Promise.all(
      Array.from({ length: 20 }, async () =>
        fixture.script.receive({ accountNumber: payee.accountNumber, amountMinor: 100_00n, channel: 'CARD' }),
      ),
    );
    await Promise.all([...hints, ...hints, ...hints].map((hint) => fixture.takeWebhook(hint)));
    expect(await payee.balance()).toBe(20n * 90_00n);
    expect(await fixture.reserveOf(payee)).toMatchObject({ amount: 200, payments: 20 });
  });

  it('comes back once where six workers of two processes release it at one moment', async () => {
    const payee = await paidPayee();
    fixture.clock.advance(8 * DAY_MS);
    const other = fixture.process();
    const released = await Promise.all([
      ...Array.from({ length: 3 }, () => fixture.release()),
      ...Array.from({ length: 3 }, () => fixture.release(other.deps)),
    ]);
    expect(released.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(PAYMENTS);
    expect(await payee.balance()).toBe(BigInt(PAYMENTS) * 100_00n);
    expect(totalOf(await fixture.releasesOf(payee))).toBe(BigInt(PAYMENTS) * 10_00n);
    await other.close();
  });

  it('comes back once where another worker releases one of them between the look and the commit', async () => {
    const payee = await paidPayee();
    fixture.clock.advance(8 * DAY_MS);
    const { ledger } = fixture.deps;
    const moveOthers = (by: string) =>
      fixture.database.pool.query(
        `update reserves set due_at = ${moved('due_at', by)} where merchant_id = $1 and released_at is null
            and payment_id <> (select max(payment_id::text)::uuid from reserves where merchant_id = $1)`,
        [payee.merchantId],
      );
    const counts: number[] = [];
    const overtaken: Ledger = {
      ...ledger,
      async commit(movement) {
        if (counts.length === 0) {
          await moveOthers('1 year');
          counts.push(await fixture.release());
          await moveOthers('-1 year');
        }
        return ledger.commit(movement);
      },
    };
    counts.push(await fixture.release({ ...fixture.deps, ledger: overtaken }));
    expect(counts).toEqual([1, PAYMENTS - 1]);
    expect(await payee.balance()).toBe(BigInt(PAYMENTS) * 100_00n);
    expect((await fixture.releasesOf(payee)).map(({ amount_minor }) => amount_minor)).toEqual([10_00n, 110_00n]);
  });

  it.each(['before its commit', 'after its commit'])('comes back once where the worker dies %s', async (moment) => {
    const payee = await paidPayee();
    fixture.clock.advance(8 * DAY_MS);
    const { ledger } = fixture.deps;
    const dying: Ledger = {
      ...ledger,
      async commit(movement) {
        if (moment === 'after its commit') await ledger.commit(movement);
        throw new Error('killed');
      },
    };
    await fixture.release({ ...fixture.deps, ledger: dying });
    fixture.clock.advance(60 * 60_000);
    await fixture.release();
    await fixture.release();
    expect(await payee.balance()).toBe(BigInt(PAYMENTS) * 100_00n);
    expect(await fixture.releasesOf(payee)).toHaveLength(1);
    expect(await fixture.booked(payee)).toMatchObject({ RESERVE: 0n });
  });

  it('of one merchant that cannot be released keeps nobody else waiting, and is not even listed for a while', async () => {
    const [stuck, other] = [await paidPayee(), await paidPayee()];
    fixture.clock.advance(8 * DAY_MS);
    const { ledger } = fixture.deps;
    let tries = 0;
    const failing: Ledger = {
      ...ledger,
      async commit(movement) {
        if (movement.tenant.merchantId !== stuck.merchantId) return ledger.commit(movement);
        tries += 1;
        throw new Error('no');
      },
    };
    await fixture.release({ ...fixture.deps, ledger: failing });
    const { database } = fixture.deps;
    const listed: unknown[] = [];
    const watched: typeof database = {
      ...database,
      async query(...asked: Parameters<typeof database.query>) {
        const rows = await database.query(...asked);
        if (asked[0].name === 'list-due-reserves') listed.push(...rows);
        return rows as never;
      },
    };
    await fixture.release({ ...fixture.deps, database: watched, ledger: failing });
    expect([tries, listed]).toEqual([1, []]);
    expect(await other.balance()).toBe(BigInt(PAYMENTS) * 100_00n);
    expect(await stuck.balance()).toBe(BigInt(PAYMENTS) * 90_00n);
    fixture.clock.advance(60 * 60_000);
    await fixture.release();
    expect(await stuck.balance()).toBe(BigInt(PAYMENTS) * 100_00n);
  });
});
