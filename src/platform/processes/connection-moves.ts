import type { Socket } from 'node:net';
import type { Tenant } from '../tenant.ts';
import { CORE_TIME_MS, type CoreTime } from './core-time.ts';
import type { Peer, Peers } from './peers.ts';

/** Cores are scarce where the thread waited for one for so much of its time: then processor time is worth saving. */
const SCARCE_WAIT = 0.1;
/** A process takes connections while its thread has used less of a core than this. */
const ROOM_BELOW = 0.9;
/** A thread that has used so much of a core for two seconds is the limit of its process: it gives connections to one with room. */
const FULL_ABOVE = 0.95;
const FULL_TIMES = 2_000 / CORE_TIME_MS;
const SPARE_BELOW = 0.6;
/** At most so many connections go to a process before it says again how busy it is. */
const MOVES_AT_ONCE = 128;
const RELIEF_AT_ONCE = 8;
/** A connection moves after so many requests in a row of one merchant: a balancer's, which has those of many, stays. */
const REQUESTS_IN_A_ROW = 8;

/** Which connections leave this process for another one, between two requests. */
export interface ConnectionMoves {
  /** Notes an answer on a connection. */
  answered(connection: Socket, tenant: Tenant): void;
  /** Where the connection goes at this moment; undefined where it stays. */
  goalOf(connection: Socket): Peer | undefined;
  /** Counts one that goes there. */
  moved(to: Peer): void;
}

interface MovesDeps {
  peers: Pick<Peers, 'idlest'>;
  coreTime: CoreTime;
  /** Where the movements of a tenant are sent at this moment; undefined where they are committed here. */
  committerOf(tenant: Tenant): Peer | undefined;
  /** Called with each connection that has left. */
  onMove(): void;
}

interface Seen {
  tenant: Tenant;
  requests: number;
}

/**
 * Where cores are scarce, the connections of a busy merchant go to the process that commits its movements: two processes of
 * one wallet then cost what one does. And a process whose thread is full gives connections to one that has room. Where
 * cores are idle, connections stay where the system has put them: more threads answer sooner.
 */
export function createConnectionMoves({ peers, coreTime, committerOf, onMove }: MovesDeps): ConnectionMoves {
  const seen = new WeakMap<Socket, Seen>();
  const moves = new Map<number, number>();
  let timesFull = 0;
  const timer = setInterval(() => {
    timesFull = coreTime.used() >= FULL_ABOVE ? timesFull + 1 : 0;
    moves.clear();
  }, CORE_TIME_MS);
  timer.unref();

  const withRoom = (to: Peer | undefined, loadBelow: number, atOnce: number) =>
    to !== undefined && to.load() < loadBelow && (moves.get(to.number) ?? 0) < atOnce ? to : undefined;

  return {
    answered(connection, tenant) {
      const before = seen.get(connection);
      const isSame = before?.tenant.merchantId === tenant.merchantId && before.tenant.mode === tenant.mode;
      if (isSame) before.requests += 1;
      else seen.set(connection, { tenant, requests: 1 });
    },
    goalOf(connection) {
      if (timesFull >= FULL_TIMES) return withRoom(peers.idlest(), SPARE_BELOW, RELIEF_AT_ONCE);
      const what = coreTime.waited() >= SCARCE_WAIT ? seen.get(connection) : undefined;
      if (what === undefined || what.requests < REQUESTS_IN_A_ROW) return undefined;
      return withRoom(committerOf(what.tenant), ROOM_BELOW, MOVES_AT_ONCE);
    },
    moved(to) {
      moves.set(to.number, (moves.get(to.number) ?? 0) + 1);
      onMove();
    },
  };
}
