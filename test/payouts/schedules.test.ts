import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeFeeRules, type FeeRule, listFeeRules } from '../../src/fees/index.ts';
import { fireSchedule } from '../../src/payout-delivery/fire-schedule.ts';
import { leasePayouts } from '../../src/payout-delivery/lease-payouts.ts';
import { cancelSchedule } from '../../src/payouts/schedule-payout.ts';
import { AppError } from '../../src/platform/errors.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { inOneGroup } from '../support/in-one-group.ts';
import { createPayoutFixture, executed, type Merchant, type PayoutFixture, payment } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const MINUTE_MS = 60_000;

const inMinutes = (minutes: number) => new Date(fixture.clock.now().getTime() + minutes * MINUTE_MS).toISOString();

async function schedule(merchant: Merchant, fields: Record<string, unknown> = {}): Promise<string> {
  const body = payment({ scheduledFor: inMinutes(10), ...fields });
  const reply = await merchant.call('POST', '/payout/single/schedule', body);
  expect(reply.body).toMatchObject({ status: true, data: { status: 'SCHEDULED' } });
  return reply.body.data.scheduleId;
}

async function statusOf(merchant: Merchant, scheduleId: string): Promise<[string, string | null]> {
  const page = await merchant.call('GET', '/payout/single/schedule');
  const found = page.body.data.records.find((one: { scheduleId: string }) => one.scheduleId === scheduleId);
  return [found.status, found.reason];
}

const cancel = (merchant: Merchant, scheduleId: string) =>
  merchant.call('POST', '/payout/single/schedule/cancel', { scheduleId });

describe('a scheduled payout', () => {
  it('holds nothing until its time, and is paid then', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    fixture.clock.advance(9 * MINUTE_MS);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toEqual(['SCHEDULED', null]);
    expect(await merchant.balance()).toMatchObject({ availableMinor: 1_000_000_000n });
    fixture.clock.advance(MINUTE_MS);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toEqual(['SUCCESS', null]);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('fires as soon as sandbox time says so', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    await merchant.call('POST', '/sandbox/clock/advance', { seconds: 600 });
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toEqual(['SUCCESS', null]);
  });

  it('fails for want of money, and takes none', async () => {
    const merchant = await fixture.addMerchant(500);
    const id = await schedule(merchant);
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toEqual(['FAILED', 'INSUFFICIENT_FUNDS']);
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 50_000n, availableMinor: 50_000n });
  });

  it('fails while its merchant is suspended, and is not paid when that ends', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    const setStatus = (status: string) =>
      fixture.database.pool.query('update merchants set status = $1 where id = $2', [
        status,
        merchant.tenant.merchantId,
      ]);
    await setStatus('SUSPENDED');
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    await setStatus('ACTIVE');
    await fixture.worker.runOnce();
    const ended = await fixture.database.pool.query('select status, reason from transactions where id = $1', [id]);
    expect(ended.rows).toEqual([{ status: 'FAILED', reason: 'MERCHANT_SUSPENDED' }]);
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    expect(await merchant.balance()).toMatchObject({ availableMinor: 1_000_000_000n });
  });

  it('is cancelled once, and never paid after', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    const first = await cancel(merchant, id);
    expect([first.status, first.body.message]).toEqual([200, 'Scheduled payout has been cancelled']);
    const second = await cancel(merchant, id);
    expect([second.status, second.body.code]).toEqual([409, 'SCHEDULE_ALREADY_CANCELLED']);
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
  });

  it('takes a reference of the merchant once for ever, as a payment at once does', async () => {
    const merchant = await fixture.addMerchant();
    const reference = 'RENT-2026-12';
    const id = await schedule(merchant, { reference });
    const later = payment({ scheduledFor: inMinutes(20), reference });
    for (const path of ['/payout/single/schedule', '/payout/single']) {
      const reply = await merchant.call('POST', path, path.endsWith('schedule') ? later : payment({ reference }));
      expect([path, reply.status, reply.body.code]).toEqual([path, 409, 'REFERENCE_TAKEN']);
    }
    await cancel(merchant, id);
    expect((await merchant.call('POST', '/payout/single/schedule', later)).body.code).toBe('REFERENCE_TAKEN');
    fixture.clock.advance(20 * MINUTE_MS);
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
  });

  it('can be seen and cancelled while its merchant makes no payouts any more', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    await fixture.database.pool.query(
      `delete from merchant_services where merchant_id = $1 and service_key = 'PAYOUT'`,
      [merchant.tenant.merchantId],
    );
    fixture.clock.advance(2_000);
    const quote = () => merchant.call('POST', '/payout/quote', { amount: 10 });
    await expect.poll(async () => (await quote()).body.code, { timeout: 10_000 }).toBe('SERVICE_NOT_ENABLED');
    expect(await statusOf(merchant, id)).toEqual(['SCHEDULED', null]);
    expect((await cancel(merchant, id)).status).toBe(200);
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
  });

  it('that was paid, is another merchant’s or was never one cannot be cancelled', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    expect((await cancel(await fixture.addMerchant(), id)).status).toBe(404);
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    const late = await cancel(merchant, id);
    expect([late.status, late.body.code]).toEqual([409, 'SCHEDULE_ALREADY_FIRED']);
    const paid = await merchant.call('POST', '/payout/single', payment());
    expect((await cancel(merchant, paid.body.data.transactionId)).body.code).toBe('SCHEDULE_NOT_FOUND');
  });

  it('is for a time ahead, of at most a year', async () => {
    const merchant = await fixture.addMerchant();
    for (const scheduledFor of [
      inMinutes(-1),
      inMinutes(0),
      inMinutes(2 * 366 * 24 * 60),
      '2027-01-01',
      '2027-01-01T10:00:00',
      '2027-02-30T10:00:00+01:00',
      '2027-02-29T10:00:00Z',
    ]) {
      const reply = await merchant.call('POST', '/payout/single/schedule', payment({ scheduledFor }));
      expect([scheduledFor, reply.status, reply.body.errors?.[0]?.field]).toEqual([scheduledFor, 400, 'scheduledFor']);
    }
  });

  it('is listed with its fellows, by status', async () => {
    const merchant = await fixture.addMerchant();
    const [first, second] = [await schedule(merchant), await schedule(merchant)];
    await cancel(merchant, first);
    const ids = async (query: string) =>
      (await merchant.call('GET', `/payout/single/schedule${query}`)).body.data.records.map(
        (one: { scheduleId: string }) => one.scheduleId,
      );
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('?status=CANCELLED')).toEqual([first]);
    expect(await ids('?status=SUCCESS')).toEqual([]);
  });

  it('needs an offset, and the refusal says how', async () => {
    const merchant = await fixture.addMerchant();
    const reply = await merchant.call('POST', '/payout/single/schedule', payment({ scheduledFor: '2027-01-01T10:00' }));
    expect(reply.body.message).toContain('with its offset, such as 2026-12-24T09:00:00+01:00');
    const lagos = new Date(fixture.clock.now().getTime() + 3 * 60 * MINUTE_MS).toISOString().replace('Z', '+01:00');
    const made = await merchant.call('POST', '/payout/single/schedule', payment({ scheduledFor: lagos }));
    expect(made.body.data.scheduledFor).toBe(inMinutes(120));
  });

  it('is listed by the time that it is for', async () => {
    const merchant = await fixture.addMerchant();
    const [soon, late] = [await schedule(merchant), await schedule(merchant, { scheduledFor: inMinutes(60) })];
    const ids = async (query: string) =>
      (await merchant.call('GET', `/payout/single/schedule?${query}`)).body.data.records.map(
        (one: { scheduleId: string }) => one.scheduleId,
      );
    expect(await ids(`from=${inMinutes(60)}`)).toEqual([late]);
    expect(await ids(`to=${inMinutes(60)}`)).toEqual([soon]);
    expect(await ids(`from=${inMinutes(10)}&to=${inMinutes(61)}&status=SCHEDULED`)).toEqual([late, soon]);
    expect(await ids(`from=${inMinutes(61)}`)).toEqual([]);
    const turned = await merchant.call('GET', `/payout/single/schedule?from=2027-01-02&to=2027-01-01`);
    expect([turned.status, turned.body.errors[0].field]).toEqual([400, 'to']);
  });

  it('that meets a database out of order at its time is fired soon after, not when its lease has run out', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    const out = new AppError('unavailable', 'SERVICE_UNAVAILABLE', 'The database cannot be reached.');
    const ledger = { ...fixture.deps.ledger, commit: () => Promise.reject(out) };
    const broken = createPayoutWorker({ ...fixture.deps, ledger });
    fixture.clock.advance(10 * MINUTE_MS);
    await broken.runOnce();
    await broken.stop();
    expect(await statusOf(merchant, id)).toEqual(['SCHEDULED', null]);
    fixture.clock.advance(5_000);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toEqual(['SUCCESS', null]);
  });

  it('that has fired but was not sent yet cannot be cancelled any more, and keeps its hold', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    fixture.clock.advance(10 * MINUTE_MS);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 10);
    await fireSchedule(fixture.deps, leased!);
    const refused = await cancel(merchant, id);
    expect([refused.status, refused.body.code]).toEqual([409, 'SCHEDULE_ALREADY_FIRED']);
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 1_000_000_000n, availableMinor: 999_898_925n });
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toEqual(['SUCCESS', null]);
  });

  it('fired by two workers at once is held and sent once', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    fixture.clock.advance(10 * MINUTE_MS);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 10);
    await Promise.all(Array.from({ length: 5 }, () => fireSchedule(fixture.deps, leased!)));
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toEqual(['SUCCESS', null]);
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 999_898_925n, availableMinor: 999_898_925n });
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('cancelled in the group in which it fires is cancelled or paid, by which of the two comes first', async () => {
    const ends: string[] = [];
    for (const isTurned of [false, true]) {
      const merchant = await fixture.addMerchant();
      const { tenant } = merchant;
      const id = await schedule(merchant);
      fixture.clock.advance(10 * MINUTE_MS);
      const [leased] = await leasePayouts(fixture.deps, tenant, 1);
      const ledger = inOneGroup(fixture.deps.ledger, isTurned);
      // The cancelling comes to the group first, however long either takes to get there.
      const { promise: isThere, resolve: comes } = Promise.withResolvers<void>();
      const commit: typeof ledger.commit = (movement) => {
        const done = ledger.commit(movement);
        comes();
        return done;
      };
      const [cancelled] = await Promise.all([
        cancelSchedule(
          { ...fixture.deps, ledger: { ...ledger, commit } },
          { tenant, scheduleId: id, idempotency: undefined },
        ).then(
          () => 'CANCELLED',
          ({ code }: AppError) => code,
        ),
        isThere.then(() => fireSchedule({ ...fixture.deps, ledger }, leased!)),
      ]);
      await fixture.worker.runOnce();
      const [status] = await statusOf(merchant, id);
      expect([cancelled, status]).toEqual(
        cancelled === 'CANCELLED' ? ['CANCELLED', 'CANCELLED'] : ['SCHEDULE_ALREADY_FIRED', 'SUCCESS'],
      );
      expect(await executed(fixture, tenant)).toHaveLength(status === 'SUCCESS' ? 1 : 0);
      const { bookedMinor, availableMinor } = await merchant.balance();
      expect(availableMinor).toBe(bookedMinor);
      ends.push(status);
    }
    expect(ends).toEqual(['CANCELLED', 'SUCCESS']);
  });

  it('cancelled at the moment it fires is either cancelled or paid, never both, whichever process comes first', async () => {
    const merchant = await fixture.addMerchant();
    const other = await fixture.otherProcess();
    const workers = [fixture.worker, createPayoutWorker(other.deps)];
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) ids.push(await schedule(merchant, { amount: 1_000 + at }));
    fixture.clock.advance(10 * MINUTE_MS);
    // Spread over the time that firing takes, so that each of the two comes first for some.
    const cancelling = Promise.all(
      ids.map(async (id, at) => {
        await new Promise((resolve) => setTimeout(resolve, at * 2));
        return cancel(merchant, id);
      }),
    );
    const [replies] = await Promise.all([cancelling, ...workers.map((worker) => worker.runOnce())]);
    await fixture.worker.runOnce();

    const paid = (await executed(fixture, merchant.tenant)).map((line) => line.railReference);
    for (const [at, id] of ids.entries()) {
      const [status] = await statusOf(merchant, id);
      const cancelled = replies[at]!.status === 200;
      expect(status).toBe(cancelled ? 'CANCELLED' : 'SUCCESS');
      expect(paid.filter((reference) => reference === id.replaceAll('-', ''))).toHaveLength(cancelled ? 0 : 1);
    }
    const { bookedMinor, availableMinor } = await merchant.balance();
    expect(availableMinor).toBe(bookedMinor);
    await other.close();
  });

  it('costs what a payout costs when it fires, and its record and its wallet say so', async () => {
    const merchant = await fixture.addMerchant();
    const id = await schedule(merchant);
    const quote = async () => (await merchant.call('POST', '/payout/quote', { amount: 1_000 })).body.data;
    const before = await quote();
    const isCharged = ({ kind, minAmountMinor: min, maxAmountMinor: max, effectiveTo }: FeeRule) =>
      kind === 'TRANSFER_FEE' && effectiveTo === null && min <= 100_000n && (max === null || max >= 100_000n);
    const [rule] = (await fixture.database.query(listFeeRules)).filter(isCharged);
    if (rule === undefined) throw new Error('no rule charges the payout');
    const effectiveFrom = new Date(fixture.clock.now().getTime() + 5 * MINUTE_MS);
    const dearer = { ...rule, flatMinor: rule.flatMinor + 5_000n, effectiveFrom, source: 'a test' };
    await changeFeeRules(fixture.deps, { rules: [dearer], endsRuleIds: [rule.id] });
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    const now = await quote();
    expect(now.fee).toBe(before.fee + 50);
    const paid = (await merchant.call('GET', `/transaction/${id}`)).body.data;
    const { fee, vat, stampDuty, charges, total } = now;
    expect(paid).toMatchObject({ status: 'SUCCESS', fee, vat, stampDuty, charges, totalAmount: total });
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 1_000_000_000n - BigInt(Math.round(total * 100)) });
  });
});
