import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { firstIdOf, newId } from '../platform/ids.ts';
import { inHalves } from '../platform/jobs/take-turns.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { deleteOldGaps, deleteOldRequests, insertGaps, insertRequests, type RequestRow } from './queries.ts';

/** Kept of each merchant and mode in a second: a person reads no more, and 8,000 a second cost next to nothing. */
export const MAX_PER_SECOND = 50;
const FLUSH_EVERY_MS = 1_000;
/** Waiting to be written, of all merchants: a database that is away must not fill the memory. */
const MAX_WAITING = 20_000;
/** Rows of one statement. */
const PIECE = 1_000;

/** One request as it was answered. Nothing of its body, and nothing of the answer's but the code. */
interface AnsweredRequest {
  tenant: Tenant;
  requestId: string;
  method: string;
  route: string;
  url: string;
  status: number;
  code: string | null;
  durationMs: number;
  keyId: string;
  ip: string;
}

export interface RequestLog {
  /** Notes a request: a push to an array. `describe` is called only where it is kept. */
  note(tenant: Tenant, describe: () => AnsweredRequest): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  /** Writes what waits, and no more. */
  stop(): Promise<void>;
}

interface Second {
  tenant: Tenant;
  kept: number;
  leftOut: number;
}

interface Waiting extends AnsweredRequest {
  at: Date;
}

/** Written in batches, off the way of the requests. It may lose some with the process: it is for people, not for proof. */
export function createRequestLog(deps: { database: Database; clock: Clock; logger: Logger }): RequestLog {
  let waiting: Waiting[] = [];
  let seconds = new Map<string, Second>();
  let flushing: Promise<void> | undefined;

  async function writeOut(): Promise<void> {
    const requests = waiting;
    const gaps = [...seconds.values()].filter(({ leftOut }) => leftOut > 0);
    waiting = [];
    seconds = new Map();
    const at = deps.clock.now();
    // One that the database does not take is left out alone.
    const leaveOut = (request: Waiting, error: unknown) => {
      deps.logger.debug({ err: error, ...request.tenant, requestId: request.requestId }, 'a request was not logged');
    };
    const insert = (some: readonly Waiting[]) => deps.database.run(insertRequests, some.map(rowOf));
    try {
      for (let from = 0; from < requests.length; from += PIECE) {
        await inHalves(requests.slice(from, from + PIECE), insert, leaveOut);
      }
      const rows = gaps.map(({ tenant, leftOut }) => ({ ...keyOf(tenant), at, left_out: leftOut }));
      await deps.database.run(
        insertGaps,
        rows.map((row) => write(insertGaps, row).row),
      );
    } catch (error) {
      deps.logger.debug({ err: error, requests: requests.length }, 'requests were not logged');
    }
  }

  function flush(): Promise<void> {
    flushing ??= writeOut().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  // The counts begin anew with each flush, which is each second.
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref();

  return {
    note(tenant, describe) {
      const key = tenant.merchantId + tenant.mode;
      let second = seconds.get(key);
      if (second === undefined) {
        second = { tenant, kept: 0, leftOut: 0 };
        seconds.set(key, second);
      }
      if (second.kept >= MAX_PER_SECOND || waiting.length >= MAX_WAITING) {
        second.leftOut += 1;
        return;
      }
      second.kept += 1;
      waiting.push({ ...describe(), at: deps.clock.now() });
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}

function keyOf({ merchantId, mode }: Tenant): { merchant_id: string; mode: Mode; id: string } {
  return { merchant_id: merchantId, mode, id: newId() };
}

function rowOf(request: Waiting) {
  const row: RequestRow = {
    ...keyOf(request.tenant),
    request_id: request.requestId,
    at: request.at,
    method: request.method,
    route: request.route,
    url: request.url,
    status: request.status,
    code: request.code,
    duration_ms: Math.round(request.durationMs),
    key_id: request.keyId,
    ip: request.ip,
  };
  return write(insertRequests, row).row;
}

/** A mistake is looked for within days. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/** @returns how many requests are forgotten. */
export async function forgetRequests({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const first = firstIdOf(new Date(clock.now().getTime() - KEEP_MS));
  const [[requests]] = await Promise.all([
    database.query(deleteOldRequests, [first]),
    database.query(deleteOldGaps, [first]),
  ]);
  return requests?.gone ?? 0;
}
