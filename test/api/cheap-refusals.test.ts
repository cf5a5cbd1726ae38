import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { type Attack, attacksOn, unknownFields } from '../support/attacks.ts';
import { createCallers } from '../support/callers.ts';
import { allOperationsOf, sampleRequest } from '../support/operations.ts';

/** Every operation is asked here, one after the other, in one test. */
vi.setConfig({ testTimeout: 120_000 });

/**
 * There is one thread for everybody, so what somebody sends may not cost much of it. Every operation that takes anything is
 * sent the dearest bodies that can be thought of, by somebody who may call it; what counts is the processor's time beside
 * that of an ordinary request, so the speed of the machine does not.
 */
const t = await createTestApp();
const operations = allOperationsOf(t.app).filter(({ method }) => method !== 'GET');
const callers = createCallers(t);
afterAll(() => t.close());

/** An ordinary request takes a fifth of a millisecond once the program is warm: an attack may take what tens of them do. */
const MAX_ORDINARY_REQUESTS = 80;
/** As much as is read of everybody. */
const READ_BYTES = 16 * 1024;
/** What is larger has to be refused by its length, or read by another thread. */
const LARGE_BYTES = 1024 * 1024;

/** Of so many, one has no pause in it: the process has run other files, whose garbage is collected here and there. */
const RUNS = 15;

/**
 * Milliseconds that the one thread works: others read files and collect garbage. The least of several where it is more
 * than `enough`, so that no pause counts.
 */
async function costOf(send: () => Promise<unknown>, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && least > enough; run += 1) {
    const before = process.threadCpuUsage();
    await send();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

async function ordinaryCost(): Promise<number> {
  const read = () => t.call('GET', '/wallet/merchant');
  for (let run = 0; run < 100; run += 1) await read();
  const costs: number[] = [];
  for (let run = 0; run < 20; run += 1) costs.push(await costOf(read));
  return costs.sort((a, b) => a - b)[10] as number;
}

describe('a body that is meant to cost much', () => {
  it('is refused by every operation for the price of some tens of ordinary requests', async () => {
    const ordinary = await ordinaryCost();
    const most = MAX_ORDINARY_REQUESTS * ordinary;
    const dear: string[] = [];
    const wrong: string[] = [];
    for (const operation of operations) {
      const { method, url } = sampleRequest(operation, {});
      const headers = { 'content-type': 'application/json', ...(await callers.headersFor(operation)) };
      const attacks: Attack[] = [
        ...attacksOn(operation, READ_BYTES),
        { label: 'unknown fields', body: unknownFields(LARGE_BYTES) },
        { label: 'unknown fields, cut short', body: `${unknownFields(LARGE_BYTES)},` },
      ];
      for (const { label, body } of attacks) {
        let status = 0;
        const cost = await costOf(async () => {
          status = (await t.app.server.inject({ method, url, headers, payload: body })).statusCode;
        }, most);
        const said = `${operation.name}: ${label} (${body.length}): ${status}, ${cost.toFixed(2)} ms`;
        if (cost > most) dear.push(said);
        if (status < 400 || status >= 500) wrong.push(said);
      }
    }
    expect(wrong).toEqual([]);
    expect(dear, `an ordinary request takes ${ordinary.toFixed(2)} ms`).toEqual([]);
  });
});
