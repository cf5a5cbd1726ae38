import { CommitUnknownError, type Database } from '../platform/db/database.ts';
import { MOST_NAMED_DISTRIBUTED } from '../platform/db/statement.ts';
import { AppError, databaseAway } from '../platform/errors.ts';
import type { JobFailures } from '../platform/jobs/job-monitor.ts';
import { createConcurrencyLimit, createOpenWork } from '../platform/owner-queue.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { type CommitMemory, commitGroup, createCommitMemory, type GroupOutcome, hasCommitted } from './commit-group.ts';
import type { Decision } from './decide.ts';
import { ledgerBusy, outcomeUnknown } from './errors.ts';
import { createCheckOrder } from './guards.ts';
import type { CommitResult, Movement } from './movement.ts';
import type { Shard, ShardOf } from './shards.ts';

/** Movements in one database transaction. A larger group takes longer and costs no less for each movement. */
const MAX_GROUP_MOVEMENTS = 1_000;
/** Transfers in one group, so that a few big batches do not make a giant transaction. */
const MAX_GROUP_TRANSFERS = 5_000;
/** Movements in a group of their own, of a tenant whose movement failed by a defect. */
const MAX_GROUP_APART = 8;
/** A movement with so many transfers takes as long as some fifty others: merchants that make such have a committer of their own. */
const LARGE_TRANSFERS = 200;
/** Movements that wait for their group. Beyond this the service answers that it is busy, rather than seconds later. */
const MAX_WAITING_MOVEMENTS = 20_000;
/**
 * A lost COMMIT is looked up for this long from the start of its group; then the client gets that its outcome is
 * unknown.
 */
const LOOKUP_DEADLINE_MS = 7_000;
const LOOKUP_PAUSE_MS = 200;
/** Answers written before the event loop handles other work. */
const ANSWERS_A_TURN = 16;

interface Waiting {
  movement: Movement;
  resolve: (result: CommitResult) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommit {
  /**
   * Commits the movement in the next group.
   * @throws AppError when the movement is refused, `LEDGER_BUSY` when too many wait, `OUTCOME_UNKNOWN` when the
   *   connection was lost after COMMIT was sent and the database stayed away.
   */
  commit(movement: Movement): Promise<CommitResult>;
  /** Resolves when every accepted movement is answered. */
  drain(): Promise<void>;
}

interface GroupCommitOptions {
  database: Database;
  /** Counts tenants whose movements failed by a defect: such a tenant gets groups of its own. */
  failures: JobFailures;
  /**
   * Groups that run at once in each mode, or at each server of a distributed database: sandbox traffic never delays
   * live traffic. The movements of a merchant in one mode go to the same committer, in order of arrival, and those of a merchant
   * that has a large one under way to another, so that it delays nobody else.
   */
  committers: number;
  shardOf: ShardOf;
  /** Called with the size of each group that committed. */
  onGroup?: (movements: number) => void;
}

/**
 * Commits many concurrent movements as one database transaction: while one group commits, the next one gathers. A lone
 * movement does not wait. In a distributed database each shard has a committer of its own, so that a group is on one
 * shard and its statements go to one server. Shards of one server take turns: while one commits, groups gather for the
 * others.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { shardOf } = options;
  const committers = new Map<string, GroupCommit>();
  const turns = new Map<string, Turns>();
  const finding = new Set<Promise<unknown>>();
  /** Movements that are under way with a large one of their tenant. */
  const besideLarge = createOpenWork();

  function committerFor({ mode }: Tenant, place: string, shard?: Shard): GroupCommit {
    const name = `${mode}/${place}`;
    let committer = committers.get(name);
    if (committer === undefined) {
      committer =
        shard === undefined
          ? createCommitter({ ...options, mostMerchants: Infinity, turns: ALWAYS })
          : createCommitter({ ...options, mostMerchants: MOST_NAMED_DISTRIBUTED, turns: turnsAt(mode, shard.server) });
      committers.set(name, committer);
    }
    return committer;
  }

  function turnsAt(mode: string, server: string): Turns {
    const name = `${mode}/${server}`;
    const known = turns.get(name) ?? createConcurrencyLimit({ atOnce: options.committers });
    turns.set(name, known);
    return known;
  }

  async function commitOnShard(movement: Movement, looked: Promise<Shard | undefined>): Promise<CommitResult> {
    finding.add(looked);
    let shard: Shard | undefined;
    try {
      shard = await looked;
    } finally {
      // Nothing is awaited from here to the committer, so a `drain` sees the movement in one of the two places.
      finding.delete(looked);
    }
    return commitOn(movement, shard);
  }

  function commitOn(movement: Movement, shard: Shard | undefined): Promise<CommitResult> {
    const { tenant, transfers = [] } = movement;
    if (shard !== undefined) return committerFor(tenant, shard.name, shard).commit(movement);
    const place = committerOf(tenant.merchantId, options.committers);
    const owner = tenantKey(tenant);
    if (transfers.length < LARGE_TRANSFERS && besideLarge.of(owner) === 0)
      return committerFor(tenant, `${place}`).commit(movement);
    return committerFor(tenant, `${place}/large`).commit(movement).finally(besideLarge.begin(owner));
  }

  return {
    commit(movement) {
      requireEvent(movement);
      const shard = shardOf(movement.tenant.merchantId);
      return shard instanceof Promise ? commitOnShard(movement, shard) : commitOn(movement, shard);
    },
    async drain() {
      while (finding.size > 0) await Promise.allSettled(finding);
      await Promise.all(Array.from(committers.values(), (committer) => committer.drain()));
    },
  };
}

function committerOf(merchantId: string, committers: number): number {
  return Number.parseInt(merchantId.slice(-6), 16) % committers;
}

/** Decides when a committer may commit its next group. */
type Turns = ReturnType<typeof createConcurrencyLimit>;

const ALWAYS: Turns = { run: (work) => work() };

interface CommitterOptions extends GroupCommitOptions {
  /** In one group. */
  mostMerchants: number;
  turns: Turns;
}

function createCommitter({ database, failures, onGroup, mostMerchants, turns }: CommitterOptions): GroupCommit {
  let waiting: Waiting[] = [];
  const memory = createCommitMemory();
  let running: Promise<void> | undefined;
  let wasApart = false;

  async function run(): Promise<void> {
    // Requests that arrived in the same turn of the event loop share a group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await turns.run(commitNext);
    running = undefined;
  }

  async function commitNext(): Promise<void> {
    const { group, rest, isApart } = takeGroup(waiting, failures, { wasApart, mostMerchants });
    wasApart = isApart;
    waiting = rest;
    const { answers, later } = await commitAll({ database, failures, memory, isApart }, group);
    waiting = [...later, ...waiting];
    onGroup?.(group.length - later.length);
    answerInTurns(answers);
  }

  return {
    commit(movement) {
      if (waiting.length >= MAX_WAITING_MOVEMENTS) return Promise.reject(ledgerBusy());
      return new Promise((resolve, reject) => {
        waiting.push({ movement, resolve, reject });
        running ??= run();
      });
    },
    async drain() {
      while (running !== undefined) await running;
    },
  };
}

/** A movement that changes anything has an event: a lost COMMIT is looked up by it. */
function requireEvent(movement: Movement): void {
  const { transfers, transitions, firstSteps, writes, numbered, reservations, releases, limitUsages } = movement;
  const changes = [transfers, transitions, firstSteps, writes, numbered, reservations, releases, limitUsages].reduce(
    (sum, some) => sum + (some?.length ?? 0),
    0,
  );
  if (changes > 0 && (movement.events?.length ?? 0) === 0) throw new Error(`movement ${movement.id} has no event`);
}

interface NextGroup {
  group: Waiting[];
  rest: Waiting[];
  /** The group is of one tenant, whose movement failed by a defect. */
  isApart: boolean;
}

/**
 * The next movements, in order of arrival. Movements of a tenant whose movement failed by a defect get groups of their
 * own, of a few movements, by turns with the rest: the next one may fail too, and is found faster among few.
 */
function takeGroup(
  waiting: Waiting[],
  failures: JobFailures,
  { wasApart, mostMerchants }: { wasApart: boolean; mostMerchants: number },
): NextGroup {
  const atFault = ({ movement }: Waiting) => failures.hasFailed(tenantKey(movement.tenant));
  const faulty = failures.hasAny() ? waiting.find(atFault) : undefined;
  if (faulty === undefined) return { ...takeUpTo(waiting, MAX_GROUP_MOVEMENTS, mostMerchants), isApart: false };
  const good = waiting.filter((one) => !atFault(one));
  const isApart = good.length === 0 || !wasApart;
  const tenant = tenantKey(faulty.movement.tenant);
  const { group } = isApart
    ? takeUpTo(
        waiting.filter(({ movement }) => tenantKey(movement.tenant) === tenant),
        MAX_GROUP_APART,
        1,
      )
    : takeUpTo(good, MAX_GROUP_MOVEMENTS, mostMerchants);
  const taken = new Set(group);
  return { group, rest: waiting.filter((one) => !taken.has(one)), isApart };
}

/**
 * The first movements that can share a group, and the rest. A movement whose check is about something that an earlier
 * one changes waits for a later group; others overtake it, so that nobody else waits for it.
 */
function takeUpTo(waiting: readonly Waiting[], most: number, mostMerchants: number): Omit<NextGroup, 'isApart'> {
  const mayJoin = createCheckOrder();
  const group: Waiting[] = [];
  const rest: Waiting[] = [];
  const merchants = new Set<string>();
  let transfers = 0;
  for (const [at, one] of waiting.entries()) {
    const together = transfers + (one.movement.transfers?.length ?? 0);
    merchants.add(one.movement.tenant.merchantId);
    const isFull = group.length >= most || together > MAX_GROUP_TRANSFERS || merchants.size > mostMerchants;
    if (group.length > 0 && isFull) {
      return { group, rest: rest.concat(waiting.slice(at)) };
    }
    if (mayJoin(one.movement)) {
      group.push(one);
      transfers = together;
    } else rest.push(one);
  }
  return { group, rest };
}

/**
 * Answers a few movements at a time, since a large group takes milliseconds. Meanwhile the next group is sent, read and
 * decided, and the database does not wait for answers to be written.
 */
function answerInTurns(answers: readonly (() => void)[]): void {
  for (const one of answers.slice(0, ANSWERS_A_TURN)) one();
  if (answers.length > ANSWERS_A_TURN) setImmediate(answerInTurns, answers.slice(ANSWERS_A_TURN));
}

interface Committed {
  /** Settles the promise of each movement. */
  answers: (() => void)[];
  /** Movements of tenants that were found at fault, left for a group of their own. */
  later: Waiting[];
}

interface CommitDeps extends Pick<GroupCommitOptions, 'database' | 'failures'>, Pick<NextGroup, 'isApart'> {
  memory: CommitMemory;
}

/** Commits a group, splitting it as often as a defect in it requires. */
async function commitAll(deps: CommitDeps, group: readonly Waiting[]): Promise<Committed> {
  const { failures } = deps;
  const [alone] = group;
  // All movements of this half were left for later: there are no books to lock.
  if (alone === undefined) return { answers: [], later: [] };
  try {
    const decisions = await commitOrLookUp(
      deps,
      group.map(({ movement }) => movement),
    );
    if (failures.hasAny()) for (const { movement } of group) failures.succeeded(tenantKey(movement.tenant));
    return { answers: group.map((waiting, at) => () => settle(waiting, decisions[at])), later: [] };
  } catch (error) {
    if (error instanceof AppError) {
      return { answers: group.map((waiting) => () => waiting.reject(error)), later: [] };
    }
    if (group.length > 1) return commitHalves(deps, group);
    const { tenant, id } = alone.movement;
    failures.failed(tenantKey(alone.movement.tenant), error, {
      message: 'a movement failed',
      ...tenant,
      movementId: id,
    });
    return { answers: [() => alone.reject(error)], later: [] };
  }
}

/**
 * A defect in one movement must not fail the others: the group is split in halves until it is found, and it fails
 * alone. Other movements of its tenant may have the same defect, so they leave the group.
 */
async function commitHalves(deps: CommitDeps, group: readonly Waiting[]): Promise<Committed> {
  const middle = Math.ceil(group.length / 2);
  const first = await commitAll(deps, group.slice(0, middle));
  const isLater = ({ movement }: Waiting) => !deps.isApart && deps.failures.hasFailed(tenantKey(movement.tenant));
  const rest = Map.groupBy(group.slice(middle), isLater);
  const second = await commitAll(deps, rest.get(false) ?? []);
  return {
    answers: [...first.answers, ...second.answers],
    later: [...first.later, ...(rest.get(true) ?? []), ...second.later],
  };
}

function settle(waiting: Waiting, decision: Decision | undefined): void {
  if (decision === undefined) waiting.reject(new Error('the group gave no decision'));
  else if (decision instanceof AppError) waiting.reject(decision);
  else waiting.resolve(decision);
}

/**
 * Commits a group and never guesses: after a lost COMMIT it asks the books, and only a group that is not in them runs
 * again.
 */
async function commitOrLookUp({ database, memory }: CommitDeps, movements: readonly Movement[]): Promise<Decision[]> {
  const deadline = performance.now() + LOOKUP_DEADLINE_MS;
  for (;;) {
    let sent: GroupOutcome | undefined;
    try {
      const outcome = await commitGroup(database, memory, movements, (attempted) => {
        sent = attempted;
      });
      return outcome.decisions;
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
      if (sent?.witness !== undefined && (await lookUp(database, movements, sent, deadline, error)))
        return sent.decisions;
      // The group is not in the books, or has nothing but refusals: it is safe to decide it again.
      if (performance.now() > deadline)
        throw databaseAway('The database cannot be reached. Please try again shortly.', error);
    }
  }
}

async function lookUp(
  database: Database,
  movements: readonly Movement[],
  sent: GroupOutcome,
  deadline: number,
  lost: CommitUnknownError,
): Promise<boolean> {
  for (;;) {
    try {
      return sent.witness !== undefined && (await hasCommitted(database, movements, sent.witness));
    } catch (error) {
      const again = error instanceof CommitUnknownError || (error instanceof AppError && error.kind === 'unavailable');
      if (!again || performance.now() > deadline) throw outcomeUnknown(lost);
      await new Promise((resolve) => setTimeout(resolve, LOOKUP_PAUSE_MS));
    }
  }
}
