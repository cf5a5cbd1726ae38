import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnectionMoves } from '../../src/platform/processes/connection-moves.ts';
import { CORE_TIME_MS, type CoreShare } from '../../src/platform/processes/core-time.ts';
import type { Peer } from '../../src/platform/processes/peers.ts';

const ONE = { merchantId: 'one', mode: 'LIVE' as const };
const OTHER = { merchantId: 'other', mode: 'LIVE' as const };

let load = { used: 0, waited: 0 };
let loadOfOwner = { used: 0, waited: 0 };
let loadOfIdlest = { used: 0, waited: 0 };
let signs = 0;
let moved = 0;

const peer = (number: number, loadOf: () => CoreShare): Peer => ({
  number,
  load: loadOf,
  signs: () => signs,
  isBusyWith: () => true,
  ask: async () => '',
});
const owner = peer(2, () => loadOfOwner);
const idlest = peer(3, () => loadOfIdlest);

/** Movements of `ONE` are sent to the owner; those of the other merchant are committed here. */
const makeMoves = () =>
  createConnectionMoves({
    peers: { idlest: () => idlest },
    coreTime: { now: () => load, isKnown: () => true },
    committerOf: (tenant) => (tenant === ONE ? owner : undefined),
    onMove: () => {
      moved += 1;
    },
  });

beforeEach(() => {
  vi.useFakeTimers();
  load = { used: 0.5, waited: 0.3 };
  loadOfOwner = { used: 0.5, waited: 0.4 };
  loadOfIdlest = { used: 0.1, waited: 0 };
  moved = 0;
});
afterEach(() => vi.useRealTimers());

/** A connection after so many requests in a row of a merchant. */
function connectionAfter(moves: ReturnType<typeof makeMoves>, requests: number, tenant: typeof ONE): Socket {
  const connection = new Socket();
  for (let at = 0; at < requests; at += 1) moves.answered(connection, tenant);
  return connection;
}

describe('a connection between two requests', () => {
  it('goes to the process that commits for its merchant, where cores are scarce', () => {
    const moves = makeMoves();
    const connection = connectionAfter(moves, 8, ONE);
    expect(moves.goalOf(connection)).toBe(owner);
    load.waited = 0.05;
    expect(moves.goalOf(connection)).toBeUndefined();
  });

  it('stays where it has sent too few, where its merchant is not busy elsewhere, and where it carries those of many', () => {
    const moves = makeMoves();
    expect(moves.goalOf(new Socket())).toBeUndefined();
    expect(moves.goalOf(connectionAfter(moves, 7, ONE))).toBeUndefined();
    expect(moves.goalOf(connectionAfter(moves, 100, OTHER))).toBeUndefined();
    const mixed = new Socket();
    for (let at = 0; at < 100; at += 1) moves.answered(mixed, at % 4 === 0 ? OTHER : ONE);
    expect(moves.goalOf(mixed)).toBeUndefined();
  });

  it.each([
    ['has used its core', { used: 0.9, waited: 0 }],
    ['gets less than two fifths of what it wants, as its neighbours would', { used: 0.25, waited: 0.7 }],
  ])('stays where the thread of the other process %s', (_, ofOwner) => {
    const moves = makeMoves();
    loadOfOwner = ofOwner;
    expect(moves.goalOf(connectionAfter(moves, 8, ONE))).toBeUndefined();
  });

  it('waits when so many have gone there since that process gave a sign of life, for as long as it gives none', () => {
    const moves = makeMoves();
    const goals = Array.from({ length: 200 }, () => {
      const to = moves.goalOf(connectionAfter(moves, 8, ONE));
      if (to !== undefined) moves.moved(to);
      return to;
    });
    expect(goals.filter((to) => to === owner)).toHaveLength(128);
    expect(moved).toBe(128);
    vi.advanceTimersByTime(60_000);
    expect(moves.goalOf(connectionAfter(moves, 8, ONE))).toBeUndefined();
    signs += 1;
    expect(moves.goalOf(connectionAfter(moves, 8, ONE))).toBe(owner);
  });

  it('goes to the idlest process once the thread has been full for two seconds, eight at a time, and only where there is room', () => {
    const moves = makeMoves();
    load = { used: 0.97, waited: 0 };
    vi.advanceTimersByTime(2_000 - CORE_TIME_MS);
    expect(moves.goalOf(new Socket())).toBeUndefined();
    vi.advanceTimersByTime(CORE_TIME_MS);
    for (let at = 0; at < 8; at += 1) {
      expect(moves.goalOf(new Socket())).toBe(idlest);
      moves.moved(idlest);
    }
    expect(moves.goalOf(new Socket())).toBeUndefined();
    signs += 1;
    loadOfIdlest = { used: 0.3, waited: 0.4 };
    expect(moves.goalOf(new Socket())).toBeUndefined();
    loadOfIdlest = { used: 0.1, waited: 0 };
    expect(moves.goalOf(new Socket())).toBe(idlest);
    load.used = 0.9;
    vi.advanceTimersByTime(CORE_TIME_MS);
    expect(moves.goalOf(new Socket())).toBeUndefined();
  });
});
