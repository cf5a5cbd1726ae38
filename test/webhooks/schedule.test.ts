import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { afterCall, MAX_ATTEMPTS, pauseMs, retryDelayMs, UNDELIVERED } from '../../src/webhooks/record-calls.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

describe('the schedule', () => {
  it('repeats after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then abandons the event', () => {
    expect(DELAYS.map((_, at) => retryDelayMs(at + 1, () => 0))).toEqual(DELAYS);
    expect(retryDelayMs(MAX_ATTEMPTS)).toBeUndefined();
    expect(MAX_ATTEMPTS).toBe(10);
  });

  it('is later by up to a tenth, never earlier, and not the same twice', () => {
    const delays = Array.from({ length: 1_000 }, () => retryDelayMs(4) ?? 0);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(2 * HOUR);
    expect(Math.max(...delays)).toBeLessThanOrEqual(2.2 * HOUR);
    expect(new Set(delays).size).toBeGreaterThan(900);
  });

  it('leaves an endpoint alone longer and longer while it fails steadily, and at most a minute', () => {
    const pauses = Array.from({ length: 40 }, (_, failures) => pauseMs(failures));
    expect(pauses.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(pauses.slice(5, 12)).toEqual([1, 2, 4, 8, 16, 32, 60].map((seconds) => seconds * SECOND));
    expect(Math.max(...pauses)).toBe(MINUTE);
  });

  it('does not abandon an event earlier, nor send more often, because of replays', () => {
    const now = new Date();
    const failed = { error: 'no' };
    const first = afterCall(UNDELIVERED, 'SCHEDULED', failed, now, () => 0);
    expect(first).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect(afterCall(first, 'REPLAY', failed, now)).toEqual(first);
    const told = afterCall(first, 'REPLAY', { error: null }, now);
    expect(told).toEqual({ status: 'DELIVERED', attempts: 1, nextAttemptAt: null, deliveredAt: now });
    expect(afterCall(told, 'REPLAY', failed, now)).toEqual(told);
  });
});

describe('a receiver that is down', () => {
  let fixture: WebhookFixture;
  let receiver: Receiver;
  beforeAll(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  afterEach(() => receiver.received.splice(0));
  afterAll(async () => {
    await receiver.close();
    await fixture.close();
  });

  it('is called at exactly these times, with the same bytes under the same id, until it is abandoned', async () => {
    const merchant = await fixture.addMerchant();
    receiver.answer(503, 'later');
    await merchant.setAddress(receiver.url);
    await fixture.worker.runOnce();
    for (const [at, delay] of DELAYS.entries()) {
      expect(receiver.received).toHaveLength(at + 1);
      fixture.clock.advance(delay - SECOND);
      await fixture.worker.runOnce();
      expect(receiver.received, `before the time of call ${at + 2}`).toHaveLength(at + 1);
      fixture.clock.advance(delay * 0.1 + MINUTE);
      await fixture.worker.runOnce();
    }
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    fixture.clock.advance(100 * HOUR);
    await fixture.worker.runOnce();
    expect(receiver.received).toHaveLength(10);

    const [delivery] = await merchant.deliveries();
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 10, nextAttemptAt: null, deliveredAt: null });
    expect(delivery.lastAttempt).toMatchObject({ statusCode: 503, answer: 'later' });
    const { attemptLog } = await merchant.must('GET', `/webhook/delivery/${delivery.id}`);
    expect(attemptLog).toHaveLength(10);
    await merchant.setAddress('');
  });

  it('is called when the delivery says, never before: by the schedule, in turn, after the pause, or not at all', async () => {
    const merchant = await fixture.addMerchant();
    receiver.answer(500);
    await merchant.setAddress(receiver.url);
    await merchant.happen(3);
    await fixture.worker.runOnce();
    receiver.received.splice(0);
    const shown = async (): Promise<{ id: string; nextAttemptAt: string | null; waitsFor: string | null }[]> =>
      (await merchant.deliveries()).toReversed();
    const until = (at: string | null) => new Date(at ?? 0).getTime() - fixture.clock.now().getTime();
    const first = Math.min(...(await shown()).map(({ nextAttemptAt }) => until(nextAttemptAt)));
    expect(new Set((await shown()).map(({ waitsFor }) => waitsFor))).toEqual(new Set(['TIME']));
    expect((await merchant.endpoint()).waitsFor).toBe('TIME');
    expect(Math.abs(until((await merchant.endpoint()).nextCallAt) - first)).toBeLessThan(SECOND);
    fixture.clock.advance(first - SECOND);
    expect(await fixture.worker.runOnce()).toBe(0);
    fixture.clock.advance(2 * SECOND);
    // Due, and nobody has come yet: now, and not a time that has gone by.
    for (const { waitsFor, nextAttemptAt } of (await shown()).filter((each) => each.waitsFor === 'TURN')) {
      expect([waitsFor, until(nextAttemptAt) >= -SECOND]).toEqual(['TURN', true]);
    }
    await fixture.worker.runOnce();
    fixture.clock.advance(6 * MINUTE);
    await fixture.worker.runOnce();

    // Down: what is due waits for the pause, one call finds out, and whoever was due before goes before.
    const paused = await merchant.endpoint();
    expect(paused).toMatchObject({ waitsFor: 'PAUSE', nextCallAt: paused.pausedUntil });
    const due = (await shown()).filter(({ waitsFor }) => waitsFor === 'PAUSE');
    expect(due.length).toBeGreaterThan(0);
    expect(new Set(due.map(({ nextAttemptAt }) => nextAttemptAt))).toEqual(new Set([paused.pausedUntil]));
    const ahead = await Promise.all(
      due.map(async ({ id }): Promise<number> => (await merchant.must('GET', `/webhook/delivery/${id}`)).ahead),
    );
    // Two may be due at the same moment: then neither is before the other.
    expect(ahead.toSorted((one, other) => one - other).every((before, at) => before <= at)).toBe(true);
    receiver.received.splice(0);
    expect(await fixture.worker.runOnce()).toBe(0);
    fixture.clock.advance(until(paused.pausedUntil) + 1);
    expect(await fixture.worker.runOnce()).toBe(1);
    const foremost = due.filter((_, at) => ahead[at] === 0).map(({ id }) => id);
    expect(foremost).toContain(receiver.received[0]?.headers['webhook-id']);

    receiver.answer(410);
    for (let second = 0; second < 180 && (await merchant.endpoint()).status === 'ENABLED'; second += 1) {
      fixture.clock.advance(30 * SECOND);
      await fixture.worker.runOnce();
    }
    const waiting = (await shown()).filter(({ waitsFor }) => waitsFor !== null);
    expect(waiting.length).toBeGreaterThan(0);
    for (const each of waiting) expect(each).toMatchObject({ nextAttemptAt: null, waitsFor: 'ENABLE' });
    expect(await merchant.endpoint()).toMatchObject({ nextCallAt: null, waitsFor: 'ENABLE' });
    await merchant.setAddress('');
    expect((await shown()).find(({ waitsFor }) => waitsFor !== null)).toMatchObject({ waitsFor: 'ADDRESS' });
  });

  it('gets every event once it is back: first calls in order, none left out, and is not hammered meanwhile', async () => {
    const merchant = await fixture.addMerchant();
    receiver.answer(500);
    await merchant.setAddress(receiver.url);
    await merchant.happen(40);
    // An hour down, looked at every second.
    for (let second = 0; second < 3_600; second += 1) {
      fixture.clock.advance(SECOND);
      if (second < 60 || second % 30 === 0) await fixture.worker.runOnce();
    }
    const whileDown = receiver.received.length;
    expect(whileDown).toBeLessThanOrEqual(80);
    const { failuresInARow, pausedUntil, behind } = await merchant.endpoint();
    expect(failuresInARow).toBe(whileDown);
    expect(pausedUntil).not.toBeNull();
    expect(behind).toBeGreaterThan(0);

    receiver.answer(200);
    for (let minute = 0; minute < 60 * 8; minute += 10) {
      fixture.clock.advance(10 * MINUTE);
      await fixture.worker.runOnce();
    }
    const firsts = [...new Set(receiver.sequences())];
    expect(firsts).toEqual(Array.from({ length: 41 }, (_, at) => at + 1));
    const deliveries = await merchant.deliveries();
    expect(deliveries.map(({ status }: { status: string }) => status)).toEqual(Array(41).fill('DELIVERED'));
    expect(await merchant.endpoint()).toMatchObject({ failuresInARow: 0, pausedUntil: null, behind: 0 });
    await merchant.setAddress('');
  });

  it('holds up no other event by refusing one, also when it refuses that one for ever', async () => {
    const merchant = await fixture.addMerchant();
    receiver.behave(({ event }, response) => {
      response.statusCode = event.type === 'test.refused' ? 500 : 200;
      response.end();
    });
    await merchant.setAddress(receiver.url);
    await merchant.happen(12, 'test.refused');
    await merchant.happen(20);
    for (let second = 0; second < 1_800; second += 10) {
      fixture.clock.advance(10 * SECOND);
      await fixture.worker.runOnce();
    }
    expect(await merchant.deliveries('&status=DELIVERED')).toHaveLength(21);
    expect(await merchant.deliveries('&status=PENDING')).toHaveLength(12);
    expect(await merchant.deliveries('&type=test.refused')).toHaveLength(12);
    expect([...new Set(receiver.sequences())]).toEqual(Array.from({ length: 33 }, (_, at) => at + 1));
    await merchant.setAddress('');
  });

  it('that refuses a heap of old events for ever still gets the new ones soon', async () => {
    const merchant = await fixture.addMerchant();
    receiver.behave(({ event }, response) => {
      response.statusCode = event.type === 'test.refused' ? 500 : 200;
      response.end();
    });
    await merchant.setAddress(receiver.url);
    for (let n = 0; n < 40; n += 1) {
      await merchant.happen(1, 'test.refused');
      await merchant.happen(1);
    }
    await fixture.worker.runOnce();
    expect(await merchant.deliveries('&status=PENDING')).toHaveLength(40);
    // All are due again, and the first of them put the endpoint on pause.
    fixture.clock.advance(6 * SECOND);
    await fixture.worker.runOnce();
    await merchant.happen(3);
    for (let second = 0; second < 60; second += 1) {
      fixture.clock.advance(SECOND);
      await fixture.worker.runOnce();
    }
    expect(await merchant.deliveries('&status=DELIVERED')).toHaveLength(44);
    await merchant.setAddress('');
  });

  it('is asked again earlier when the sandbox clock is moved', async () => {
    const merchant = await fixture.addMerchant();
    receiver.answer(500);
    await merchant.setAddress(receiver.url);
    await fixture.worker.runOnce();
    receiver.answer(200);
    await fixture.worker.runOnce();
    expect(receiver.received).toHaveLength(1);
    await merchant.must('POST', '/sandbox/clock/advance', { seconds: 6 });
    await fixture.worker.runOnce();
    expect(receiver.sequences().toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
    await merchant.setAddress('');
  });
});
