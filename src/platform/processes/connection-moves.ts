import type { Socket } from 'node:net';
import type { Tenant } from '../tenant.ts';
import { CORE_TIME_MS, type CoreShare, type CoreTime, wanted } from './core-time.ts';
import type { Peer, Peers } from './peers.ts';

/** Cores are scarce where the thread waited for one for so much of its time: then processor time is worth saving. */
const SCARCE_WAIT = 0.1;
/**
 * A process takes connections while its thread has used less of a core than this, and has had so much of what it wanted: a
 * thread that gets less has neighbours, who would wait with it.
 */
const TAKES_BELOW = 0.9;
const LEAST_HAD = 0.4;
/** A thread that has used so much of a core for two seconds is the limit of its process: it gives connections to one that wants less. */
const FULL_ABOVE = 0.95;
const FULL_TIMES = 2_000 / CORE_TIME_MS;
const SPARE_BELOW = 0.6;
/** At most so many connections go to a process between two of its signs of life, by which it says how busy it is. */
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
  coreTime: Pick<CoreTime, 'now' | 'isKnown'>;
  /** Where the movements of a tenant are sent at this moment; undefined where they are committed here. */
  committerOf(tenant: Tenant): Peer | undefined;
  /** Called with each connection that has left. */
  onMove(): void;
}

interface Seen {
  tenant: Tenant;
  requests: number;
}

const isOpenTo = ({ used, waited }: CoreShare): boolean =>
  used < TAKES_BELOW && used >= LEAST_HAD * wanted({ used, waited });

/**
 * Where cores are scarce, the connections of a busy merchant go to the process that commits its movements: two processes of
 * one wallet then cost next to what one does. And a process whose thread is full gives connections to one that has room. Where
 * cores are idle, connections stay where the system has put them: more threads answer sooner.
 */
export function createConnectionMoves({ peers, coreTime, committerOf, onMove }: MovesDeps): ConnectionMoves {
  const seen = new WeakMap<Socket, Seen>();
  /** By the number of the process. */
  const moves = new Map<number, { signs: number; count: number }>();
  let timesFull = 0;
  const timer = setInterval(() => {
    timesFull = coreTime.isKnown() && coreTime.now().used >= FULL_ABOVE ? timesFull + 1 : 0;
  }, CORE_TIME_MS);
  timer.unref();

  function movedTo(to: Peer): number {
    const last = moves.get(to.number);
    return last?.signs === to.signs() ? last.count : 0;
  }

  return {
    answered(connection, tenant) {
      const before = seen.get(connection);
      const isSame = before?.tenant.merchantId === tenant.merchantId && before.tenant.mode === tenant.mode;
      if (isSame) before.requests += 1;
      else seen.set(connection, { tenant, requests: 1 });
    },
    goalOf(connection) {
      if (timesFull >= FULL_TIMES) {
        const to = peers.idlest();
        return to && wanted(to.load()) < SPARE_BELOW && movedTo(to) < RELIEF_AT_ONCE ? to : undefined;
      }
      const what = coreTime.now().waited >= SCARCE_WAIT ? seen.get(connection) : undefined;
      if (what === undefined || what.requests < REQUESTS_IN_A_ROW) return undefined;
      const to = committerOf(what.tenant);
      return to && isOpenTo(to.load()) && movedTo(to) < MOVES_AT_ONCE ? to : undefined;
    },
    moved(to) {
      moves.set(to.number, { signs: to.signs(), count: movedTo(to) + 1 });
      onMove();
    },
  };
}
