import type { Readable } from 'node:stream';
import type { Member, Principal, SignedIn } from '../access/index.ts';
import { type EventTypes, readEventSequences, readEventTypes } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { type Connection, createConnection, type EndReason, eventIdOf, sequenceOf } from './connection.ts';
import { ALL_TOPICS, type Topic, topicsFor, topicsOf } from './topics.ts';

const RETRY_AFTER_SECONDS = 30;

/** So many streams are open already: of this person, of the business, or of the whole process. */
const streamsTooMany = (whose: string) =>
  new AppError(
    'rate_limited',
    'STREAMS_TOO_MANY',
    `Too many pages of ${whose} are open. This one looks from time to time.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );

const streamStopping = () =>
  new AppError('unavailable', 'SERVICE_UNAVAILABLE', 'The service is stopping. Please try again shortly.', {
    retryAfterSeconds: 2,
  });

export interface StreamLimits {
  /** Pages of one person; more windows than anybody looks at. */
  perPerson: number;
  perMerchant: number;
  /** Of this process. */
  inAll: number;
}

export interface StreamDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  sessions: {
    /** What a session says now, without counting as a use of it. @throws AppError 401 where it has ended. */
    look(secret: string): SignedIn | Promise<SignedIn>;
  };
  limits: StreamLimits;
  /** How often the event log is looked at, by one reader for all pages. */
  lookEveryMs?: number;
  heartbeatMs?: number;
}

export interface Streams {
  /** @throws AppError 429 `STREAMS_TOO_MANY`; 503 while the process stops */
  open(request: StreamRequest): Promise<Readable>;
  /** How many are open. */
  count(): number;
  /** Looks once, now. */
  look(): Promise<void>;
  /** Ends all of them, and takes no more. */
  close(): void;
}

export interface StreamRequest {
  principal: Principal;
  secret: string;
  /** Where the page has come to, as `Last-Event-ID` says; undefined: it has just read everything. */
  lastEventId: string | undefined;
}

interface Open {
  connection: Connection;
  tenant: Tenant;
  member: Member;
  secret: string;
  /** What the person may do and see, as text: once it differs the page begins anew. */
  rights: string;
}

/** The open pages, also by tenant: what is for the pages of one costs as many steps as it has pages. */
function createPages() {
  const open = new Set<Open>();
  const byTenant = new Map<string, Set<Open>>();
  /** Up to which event the pages of a tenant were notified. */
  const seen = new Map<string, bigint>();
  return {
    open,
    seen,
    of: (tenant: Tenant): Iterable<Open> => byTenant.get(tenantKey(tenant)) ?? [],
    tenants: (): Tenant[] => Array.from(byTenant.values(), ([one]) => (one as Open).tenant),
    enter(one: Open): void {
      open.add(one);
      const key = tenantKey(one.tenant);
      byTenant.set(key, (byTenant.get(key) ?? new Set<Open>()).add(one));
    },
    /** Changes nothing where it has left before. */
    leave(one: Open): void {
      open.delete(one);
      const key = tenantKey(one.tenant);
      const others = byTenant.get(key);
      others?.delete(one);
      if (others === undefined || others.size > 0) return;
      byTenant.delete(key);
      seen.delete(key);
    },
  };
}

const LOOK_EVERY_MS = 1_000;
const HEARTBEAT_MS = 20_000;

/**
 * The open pages of this process, and the one reader that reads the event log for all of them: two statements a second,
 * however many pages there are, none while there is none, and no cost for the writers of events. Sessions are checked
 * in the same turn.
 */
export function createStreams(deps: StreamDeps): Streams {
  const { database, clock, logger, limits, lookEveryMs = LOOK_EVERY_MS, heartbeatMs = HEARTBEAT_MS } = deps;
  const { open, seen, ...pages } = createPages();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  function finish(one: Open, reason: EndReason): void {
    one.connection.end(reason);
    pages.leave(one);
  }

  function notify({ tenant, upTo, types }: EventTypes): void {
    seen.set(tenantKey(tenant), upTo);
    const topics = changedBy(types);
    for (const one of pages.of(tenant)) one.connection.note(topics, upTo);
  }

  /** @throws where no session can be asked about: then nobody is notified, and each page gets its sign of life. */
  async function look(): Promise<void> {
    try {
      await Promise.all(
        [...open].map(async (one) => {
          const reason = await endReasonOf(deps, one);
          if (reason !== undefined) finish(one, reason);
        }),
      );
      for (const types of await readChanges(database, pages.tenants(), seen)) notify(types);
    } finally {
      const nowMs = clock.elapsedMs();
      for (const one of open) if (!one.connection.flush(nowMs)) one.connection.body.destroy();
    }
  }

  function plan(): void {
    if (timer !== undefined || open.size === 0 || isStopping) return;
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => {
          const level = isAway(error) ? 'debug' : 'warn';
          logger[level]({ err: error }, 'open pages were not notified of changes');
        })
        .finally(() => {
          timer = undefined;
          plan();
        });
    }, lookEveryMs);
    timer.unref();
  }

  return {
    async open({ principal, secret, lastEventId }) {
      const { tenant, member } = principal;
      if (member === null) throw new Error('a stream is opened by a person');
      if (isStopping) throw streamStopping();
      requireWithinLimits([...open], limits, { tenant, member });
      const topics = topicsFor(principal);
      const connection = createConnection({ mode: tenant.mode, topics, heartbeatMs, openedAtMs: clock.elapsedMs() });
      const one: Open = { connection, tenant, member, secret, rights: '' };
      // Counted from here on: many that come at once are not let in by each other's wait.
      pages.enter(one);
      connection.body.once('close', () => pages.leave(one));
      try {
        one.rights = rightsOf(await deps.sessions.look(secret));
        const now = (await readEventSequences(database, [tenant])).get(tenantKey(tenant)) ?? 0n;
        if (!seen.has(tenantKey(tenant))) seen.set(tenantKey(tenant), now);
        connection.body.push(`id: ${eventIdOf(tenant.mode, now)}\nevent: ready\ndata: {}\n\n`);
        connection.note(await missedSince(database, tenant, { lastEventId, now }), now);
        connection.flush(clock.elapsedMs());
      } catch (error) {
        connection.body.destroy();
        throw error;
      }
      plan();
      return connection.body;
    },
    count: () => open.size,
    look,
    close() {
      isStopping = true;
      clearTimeout(timer);
      for (const one of open) finish(one, 'STOPPING');
    },
  };
}

function requireWithinLimits(
  all: readonly Open[],
  limits: StreamLimits,
  { tenant: { merchantId }, member: { personId } }: Pick<Open, 'tenant' | 'member'>,
): void {
  if (all.length >= limits.inAll) throw streamsTooMany('this installation');
  const ofMerchant = all.filter(({ tenant }) => tenant.merchantId === merchantId);
  if (ofMerchant.length >= limits.perMerchant) throw streamsTooMany('this business');
  const own = ofMerchant.filter(({ member }) => member.personId === personId);
  if (own.length >= limits.perPerson) throw streamsTooMany('yours');
}

/** What came since each tenant's pages were notified, of those where anything did. */
async function readChanges(
  database: Database,
  tenants: readonly Tenant[],
  seen: ReadonlyMap<string, bigint>,
): Promise<EventTypes[]> {
  if (tenants.length === 0) return [];
  const sequences = await readEventSequences(database, tenants);
  const changed = tenants.flatMap((tenant) => {
    const upTo = sequences.get(tenantKey(tenant)) ?? 0n;
    const after = seen.get(tenantKey(tenant)) ?? upTo;
    return upTo > after ? [{ tenant, after, upTo }] : [];
  });
  return readEventTypes(database, changed);
}

/** What came while a page was away; everything, where nobody can say; nothing, where it has just read all. */
async function missedSince(
  database: Database,
  tenant: Tenant,
  { lastEventId, now }: { lastEventId: string | undefined; now: bigint },
): Promise<readonly Topic[]> {
  if (lastEventId === undefined) return [];
  const after = sequenceOf(tenant.mode, lastEventId);
  if (after === undefined || after > now) return ALL_TOPICS;
  const [missed] = after === now ? [] : await readEventTypes(database, [{ tenant, after, upTo: now }]);
  return missed === undefined ? [] : changedBy(missed.types);
}

const changedBy = (types: readonly string[] | undefined): readonly Topic[] =>
  types === undefined ? ALL_TOPICS : types.flatMap(topicsOf);

/** Of the database: it is in no session, and the next look finds out. */
const isAway = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable';

/**
 * While the database cannot be asked nobody is notified either: nobody learns what they may not. Where it is one session that
 * cannot be read, its page alone ends, and begins anew.
 */
async function endReasonOf(
  { sessions, logger }: StreamDeps,
  { secret, rights, tenant, member }: Open,
): Promise<EndReason | undefined> {
  // It is being opened: its own look says what its person may.
  if (rights === '') return undefined;
  try {
    return rightsOf(await sessions.look(secret)) === rights ? undefined : 'RIGHTS_CHANGED';
  } catch (error) {
    if (isAway(error)) throw error;
    if (error instanceof AppError) return 'SESSION_ENDED';
    const about = { merchantId: tenant.merchantId, mode: tenant.mode, personId: member.personId };
    logger.warn({ err: error, ...about }, 'the session of an open page could not be looked at');
    return 'RIGHTS_CHANGED';
  }
}

/** All of a session that decides what its pages may show. */
function rightsOf({ role, stage, merchant }: SignedIn): string {
  const services = merchant === null ? [] : [...merchant.services].sort();
  return [stage, role, merchant?.merchantId, merchant?.status, merchant?.approved, ...services].join(' ');
}
