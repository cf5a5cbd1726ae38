import { describe, expect, it } from 'vitest';
import { nextWaitingLength, type RawBodies, redactAll } from '../../src/request-log/bodies.ts';
import { createRequestCounts } from '../../src/request-log/counts.ts';

const request = {
  merchant_id: '0198f000-0000-7000-8000-000000000001',
  mode: 'LIVE' as const,
  method: 'GET',
  route: '/bank',
  status: 200,
  code: null,
  duration_ms: 4,
};
const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 10, minute));

describe('counts of requests', () => {
  it('are of five minutes after five seconds, and of the hour that these add up to after a minute', () => {
    const counts = createRequestCounts(0);
    for (const minute of [1, 4, 6]) counts.add({ ...request, at: at(minute) });
    expect(counts.take(4_999, { all: false })).toEqual([]);
    const fives = counts.take(5_000, { all: false });
    expect(fives.map(({ minutes, slot, requests, within_ms }) => [minutes, slot, requests, within_ms])).toEqual([
      [5, at(0), 2, 5],
      [5, at(5), 1, 5],
    ]);
    counts.add({ ...request, at: at(59), code: 'STORE_NOT_FOUND', status: 404 });
    const all = counts.take(60_000, { all: false });
    expect(all.map(({ minutes, slot, requests, status }) => [minutes, slot, requests, status])).toEqual([
      [5, at(55), 1, 404],
      [60, at(0), 3, 200],
      [60, at(0), 1, 404],
    ]);
    expect(counts.take(200_000, { all: true })).toEqual([]);
  });

  it('add up for twenty seconds where so many merchants ask that few requests are alike', () => {
    const counts = createRequestCounts(0);
    for (let merchant = 0; merchant < 2_000; merchant += 1)
      counts.add({ ...request, merchant_id: String(merchant), at: at(1) });
    expect(counts.take(19_999, { all: false })).toEqual([]);
    expect(counts.take(20_000, { all: false })).toHaveLength(2_000);
  });

  it('are taken again where they could not be written, added to what came meanwhile, and are in their hour once', () => {
    const counts = createRequestCounts(0);
    counts.add({ ...request, at: at(1) });
    expect(counts.putBack(counts.take(5_000, { all: false }))).toBe(0);
    counts.add({ ...request, at: at(2) });
    const taken = counts.take(10_000, { all: false });
    expect(taken.map(({ minutes, requests }) => [minutes, requests])).toEqual([[5, 2]]);
    counts.putBack(taken);
    const all = counts.take(60_000, { all: false });
    expect(all.map(({ minutes, requests }) => [minutes, requests])).toEqual([
      [5, 2],
      [60, 2],
    ]);
    expect(counts.take(200_000, { all: true })).toEqual([]);
  });

  it('that cannot be written fill no memory: beyond twenty thousand rows they are lost, and how many is known', () => {
    const counts = createRequestCounts(0);
    let lost = 0;
    for (let round = 0; round < 2; round += 1) {
      for (let merchant = 0; merchant < 11_000; merchant += 1)
        counts.add({ ...request, merchant_id: `${round}/${merchant}`, at: at(1) });
      lost += counts.putBack(counts.take(20_000 * (round + 1), { all: false }));
    }
    expect(lost).toBe(2_000);
  });

  it('are all there when their process stops, those of hours too', () => {
    const counts = createRequestCounts(0);
    counts.add({ ...request, at: at(1) });
    expect(counts.take(1, { all: true }).map(({ minutes }) => minutes)).toEqual([5, 60]);
  });
});

describe('bodies that wait to be redacted', () => {
  const bodies = (length: number): RawBodies => ({
    schemas: {},
    isRefusal: false,
    request: { text: 'x'.repeat(length / 2), bytes: length / 2 },
    answer: { text: 'x'.repeat(length / 2), bytes: length / 2 },
  });
  const waiting = Array.from({ length: 100 }, () => bodies(10_000));

  it('are hardly more than there was time for the last time, and again more where there was time for all', () => {
    const less = nextWaitingLength(waiting, 40, 2 ** 21);
    expect(less).toBe(500_000);
    expect(nextWaitingLength(waiting, 100, less)).toBe(1_000_000);
    expect(nextWaitingLength(waiting, 100, 2 ** 21)).toBe(2 ** 21);
  });

  it('are always a few, however long redacting took', () => {
    expect(nextWaitingLength(waiting, 0, 1_000_000)).toBe(65_536);
    expect(nextWaitingLength([], 0, 65_536)).toBe(131_072);
  });

  it('are kept where those of another cannot be redacted, of which only the size is', async () => {
    const schemas = { body: { type: 'object', properties: { name: { type: 'string' } } } };
    const body = { text: '{"name":"x"}', bytes: 12 };
    const good = { schemas, isRefusal: false, request: body, answer: { text: undefined, bytes: 0 } };
    const broken = {
      get body(): unknown {
        throw new TypeError('a schema that cannot be read');
      },
    };
    const kept = await redactAll([{ ...good, schemas: broken, answer: body }, good], (one) => one);
    const size = { kept: 'SIZE', text: null, bytes: 12 };
    expect(kept.map(({ bodies }) => bodies)).toEqual([
      { request: size, answer: size },
      {
        request: { kept: 'FULL', text: expect.any(String), bytes: 12 },
        answer: { kept: 'NONE', text: null, bytes: 0 },
      },
    ]);
  });
});
