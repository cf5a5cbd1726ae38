import { describe, expect, it } from 'vitest';
import { startLongWork } from '../../src/platform/give-way.ts';
import { busyFor, turnsDuring } from '../support/turns.ts';

describe('work of many steps', () => {
  it('lets everybody else have their turn after each five milliseconds of the thread, and begins to count anew', async () => {
    const work = startLongWork();
    const turns = await turnsDuring(async () => {
      for (let step = 0; step < 6; step += 1) {
        busyFor(step % 2 === 0 ? 5 : 0);
        await work.giveWay();
      }
    });
    // A slow machine may take five milliseconds for a step that has nothing to do, and an even step always does.
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(work.usedMs()).toBeGreaterThanOrEqual(15);
  });

  it('has nothing to wait for where it has hardly begun', () => {
    const started = Array.from({ length: 5 }, () => startLongWork().giveWay());
    expect(started).toContain(undefined);
  });
});
