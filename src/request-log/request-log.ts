import type { Clock } from '../platform/clock.ts';
import { type Database, isNotMigrated } from '../platform/db/database.ts';
import { rowsFor } from '../platform/db/statement.ts';
import { isDatabaseAway } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { inHalves } from '../platform/jobs/take-turns.ts';
import type { Logger } from '../platform/logger.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import {
  createBodyBudget,
  type KeptBodies,
  lengthOf,
  MAX_WAITING_LENGTH,
  nextWaitingLength,
  type RawBodies,
  redactAll,
} from './bodies.ts';
import { addCounts, type CountRow } from './count-queries.ts';
import { createRequestCounts } from './counts.ts';
import { knownBodySettings } from './forget-requests.ts';
import { type BodiesRow, insertBodies, insertGaps, insertRequests, type RequestRow } from './queries.ts';
import { type Hidden, scrubbed } from './redact.ts';

/** Kept of each merchant and mode in a second: a person reads no more, and 8,000 a second cost next to nothing. */
export const MAX_PER_SECOND = 50;
const FLUSH_EVERY_MS = 1_000;
/** Waiting to be written, of all merchants: a database that is away must not fill the memory. */
const MAX_WAITING = 20_000;
/** Rows of one statement. */
const PIECE = 1_000;

/** One request as it was answered. Of its body and of the answer nothing but the code, unless its merchant keeps them. */
export interface AnsweredRequest {
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
  idempotencyKey: string | null;
  /** The answer was that of an earlier request. */
  replayed: boolean;
  /** What was made or changed: `transactionId` and its value. */
  about: string | null;
  /** As they went over the line: they are redacted before they are written. */
  bodies?: RawBodies | undefined;
}

export interface RequestLog {
  /**
   * Notes a request: a push to an array. `describe` is called only where it is kept, and is given whether the bodies
   * are, too.
   */
  note(tenant: Tenant, describe: (withBodies: boolean) => AnsweredRequest): void;
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
  let waitingLength = 0;
  let mayWait = MAX_WAITING_LENGTH;
  let flushing: Promise<void> | undefined;
  const settings = knownBodySettings(deps);
  const budget = createBodyBudget();
  const counts = createRequestCounts(performance.now());

  /** @param all also counts that are not due yet */
  async function writeOut({ all }: { all: boolean }): Promise<void> {
    const requests = waiting;
    const gaps = [...seconds.values()].filter(({ leftOut }) => leftOut > 0);
    waiting = [];
    waitingLength = 0;
    seconds = new Map();
    budget.refill();
    const noted = rowsOf(requests, deps.logger);
    for (const { row } of noted) counts.add(row);
    const attempt = attemptsOf(deps.logger);
    await attempt('whose bodies are kept is not known', () => settings.refresh());
    const withBodies = noted.flatMap(({ request: { bodies }, row }) => (bodies === undefined ? [] : [{ row, bodies }]));
    // Written first: a reader who sees the request sees its bodies.
    await attempt('bodies were not logged', async () => {
      const redacted = await redactAll(withBodies, ({ bodies }) => bodies);
      const waited = withBodies.map(({ bodies }) => bodies);
      mayWait = nextWaitingLength(waited, redacted.length, mayWait);
      await writeBodies(deps, redacted);
    });
    await attempt('requests were not logged', () => writeRequests(deps, noted));
    await attempt('how many requests were left out was not logged', () => writeGaps(deps, gaps));
    const left = new Set(counts.take(performance.now(), { all }));
    await attempt('counts of requests were not written, and wait', () => writeCounts(deps, left));
    const lost = counts.putBack([...left]);
    if (lost > 0) deps.logger.warn({ rows: lost }, 'counts of requests are lost');
  }

  function flush(how: { all: boolean }): Promise<void> {
    flushing ??= writeOut(how).finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  // How many were kept of a second begins anew with each flush.
  const timer = setInterval(() => void flush({ all: false }), FLUSH_EVERY_MS).unref();
  // Whose bodies are kept is known before the first request, where the database is there.
  void flush({ all: false });

  /** All that was noted until now: what a flush that runs already has taken, and what it has not. */
  async function flushAll(): Promise<void> {
    await flushing;
    await flush({ all: true });
  }

  return {
    note(tenant, describe) {
      const key = tenantKey(tenant);
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
      const withBodies = waitingLength < mayWait && settings.keeps(tenant);
      const request: Waiting = { ...describe(withBodies), at: deps.clock.now() };
      const { bodies } = request;
      if (bodies !== undefined) {
        if (budget.take(key, bodies.isRefusal)) waitingLength += lengthOf(bodies);
        else request.bodies = undefined;
      }
      waiting.push(request);
    },
    flush: flushAll,
    async stop() {
      clearInterval(timer);
      await flushAll();
    },
  };
}

interface Noted {
  request: Waiting;
  row: RequestRow;
}

/** One that cannot be described is left out alone. */
function rowsOf(requests: readonly Waiting[], logger: Logger): readonly Noted[] {
  return requests.flatMap((request) => {
    try {
      return [{ request, row: rowOf(request) }];
    } catch (error) {
      logger.warn({ err: error, requestId: request.requestId }, 'a request was not logged');
      return [];
    }
  });
}

/** What a flush writes, each kind for itself: what fails loses nothing of the others. A database that is away is asked once. */
function attemptsOf(logger: Logger) {
  let isAway = false;
  return async (message: string, work: () => Promise<void>): Promise<void> => {
    if (isAway) return;
    try {
      await work();
    } catch (error) {
      // Of a database that is not migrated the start speaks, and readiness.
      isAway = isDatabaseAway(error) || isNotMigrated(error);
      logger[isAway ? 'debug' : 'warn']({ err: error }, message);
    }
  };
}

type WriteDeps = Parameters<typeof createRequestLog>[0];

/** One that the database does not take is left out alone. */
const leaveOutOf =
  ({ logger }: WriteDeps) =>
  ({ row }: { row: RequestRow }, error: unknown): void => {
    logger.debug({ err: error, merchantId: row.merchant_id, requestId: row.request_id }, 'a request was not logged');
  };

async function writeBodies(
  deps: WriteDeps,
  redacted: readonly { of: { row: RequestRow }; bodies: KeptBodies }[],
): Promise<void> {
  const bodies = byMerchant(redacted.map(({ of: { row }, bodies: kept }) => ({ row, body: bodiesRowOf(row, kept) })));
  const insert = (some: typeof bodies) =>
    deps.database.run(
      ...rowsFor(
        insertBodies,
        some.map(({ body }) => body),
      ),
    );
  await inHalves(bodies, insert, leaveOutOf(deps));
}

async function writeRequests(deps: WriteDeps, noted: readonly Noted[]): Promise<void> {
  const insert = (some: readonly Noted[]) =>
    deps.database.run(
      ...rowsFor(
        insertRequests,
        some.map(({ row }) => row),
      ),
    );
  const rows = byMerchant(noted);
  for (let from = 0; from < rows.length; from += PIECE)
    await inHalves(rows.slice(from, from + PIECE), insert, leaveOutOf(deps));
}

async function writeGaps({ database, clock, logger }: WriteDeps, gaps: readonly Second[]): Promise<void> {
  const at = clock.now();
  const rows = gaps.map(({ tenant, leftOut }) => ({ ...keyOf(tenant), at, left_out: leftOut }));
  await inHalves(
    rows,
    (some) => database.run(...rowsFor(insertGaps, some)),
    ({ merchant_id, left_out }, error) =>
      logger.warn({ err: error, merchantId: merchant_id, leftOut: left_out }, 'a gap of the request log is lost'),
  );
}

/** @param left those of them that were written, or that the database does not take, are removed from it */
async function writeCounts({ database, logger }: WriteDeps, left: Set<CountRow>): Promise<void> {
  await inHalves(
    [...left],
    async (some) => {
      await database.run(...rowsFor(addCounts, some));
      for (const row of some) left.delete(row);
    },
    (row, error) => {
      left.delete(row);
      const { merchant_id: merchantId, requests } = row;
      logger.warn({ err: error, merchantId, requests }, 'a count of requests is lost');
    },
  );
}

/**
 * Each merchant's rows together, as they came: all indexes begin with the merchant, so that the entries of one are written to the
 * same pages. Of 4,000 rows of 1,000 merchants a row took the server 20 µs in place of 33.
 */
function byMerchant<T extends { row: RequestRow }>(rows: readonly T[]): readonly T[] {
  const grouped = Map.groupBy(rows, ({ row }) => row.merchant_id);
  return [...grouped.keys()].sort().flatMap((merchantId) => grouped.get(merchantId) ?? []);
}

function bodiesRowOf({ merchant_id, mode, id }: RequestRow, { request, answer }: KeptBodies): BodiesRow {
  return {
    merchant_id,
    mode,
    id,
    request_kept: request.kept,
    request_body: request.text,
    request_bytes: request.bytes,
    answer_kept: answer.kept,
    answer_body: answer.text,
    answer_bytes: answer.bytes,
  };
}

function keyOf({ merchantId, mode }: Tenant): { merchant_id: string; mode: Mode; id: string } {
  return { merchant_id: merchantId, mode, id: newId() };
}

const NOTHING_HIDDEN: Hidden = new Map();

function rowOf(request: Waiting): RequestRow {
  return {
    ...keyOf(request.tenant),
    request_id: request.requestId,
    at: request.at,
    method: request.method,
    route: request.route,
    url: scrubbed(request.url, 'TEXT', NOTHING_HIDDEN),
    status: request.status,
    code: request.code,
    duration_ms: Math.round(request.durationMs),
    key_id: request.keyId,
    ip: request.ip,
    idempotency_key: request.idempotencyKey,
    replayed: request.replayed,
    about: request.about,
  };
}
