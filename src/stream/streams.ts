import type { Readable } from 'node:stream';
import type { Member, Principal, SignedIn } from '../access/index.ts';
import { type EventTypes, readEventSequences, readEventTypes } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
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

const LOOK_EVERY_MS = 1_000;
const HEARTBEAT_MS = 20_000;

const keyOf = ({ merchantId, mode }: Tenant): string => `${merchantId}/${mode}`;

/**
 * The open pages of this process, and the one reader that looks for them all into the event log: two statements a second,
 * however many pages there are, none while there is none, and nothing for whoever writes events. Sessions are looked at in
 * the same turn.
 */
export function createStreams(deps: StreamDeps): Streams {
  const { database, clock, logger, limits, lookEveryMs = LOOK_EVERY_MS, heartbeatMs = HEARTBEAT_MS } = deps;
  const open = new Set<Open>();
  /** Up to which event the pages of a tenant were notified. */
  const seen = new Map<string, bigint>();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  function leave(one: Open): void {
    open.delete(one);
    const key = keyOf(one.tenant);
    if (![...open].some(({ tenant }) => keyOf(tenant) === key)) seen.delete(key);
  }

  function finish(one: Open, reason: EndReason): void {
    one.connection.end(reason);
    leave(one);
  }

  function notify({ tenant, upTo, types }: EventTypes): void {
    const key = keyOf(tenant);
    seen.set(key, upTo);
    for (const one of open) if (keyOf(one.tenant) === key) one.connection.note(changedBy(types), upTo);
  }

  async function look(): Promise<void> {
    await Promise.all(
      [...open].map(async (one) => {
        const reason = await whyItEnds(deps, one);
        if (reason !== undefined) finish(one, reason);
      }),
    );
    const tenants = new Map([...open].map(({ tenant }) => [keyOf(tenant), tenant]));
    for (const types of await readChanges(database, [...tenants.values()], seen)) notify(types);
    const nowMs = clock.elapsedMs();
    for (const one of open) if (!one.connection.flush(nowMs)) one.connection.body.destroy();
  }

  function plan(): void {
    if (timer !== undefined || open.size === 0 || isStopping) return;
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => logger.debug({ err: error }, 'open pages were not notified of changes'))
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
      open.add(one);
      connection.body.once('close', () => leave(one));
      try {
        one.rights = rightsOf(await deps.sessions.look(secret));
        const now = (await readEventSequences(database, [tenant])).get(keyOf(tenant)) ?? 0n;
        if (!seen.has(keyOf(tenant))) seen.set(keyOf(tenant), now);
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
    const upTo = sequences.get(keyOf(tenant)) ?? 0n;
    const after = seen.get(keyOf(tenant)) ?? upTo;
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

/** While the database cannot be asked nobody is notified either: nobody learns what they may not. */
async function whyItEnds({ sessions }: StreamDeps, { secret, rights }: Open): Promise<EndReason | undefined> {
  // It is being opened: its own look says what its person may.
  if (rights === '') return undefined;
  try {
    return rightsOf(await sessions.look(secret)) === rights ? undefined : 'RIGHTS_CHANGED';
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'unavailable') return 'SESSION_ENDED';
    throw error;
  }
}

/** All of a session that decides what its pages may show. */
function rightsOf({ role, stage, merchant }: SignedIn): string {
  const services = merchant === null ? [] : [...merchant.services].sort();
  return [stage, role, merchant?.merchantId, merchant?.status, merchant?.approved, ...services].join(' ');
}
