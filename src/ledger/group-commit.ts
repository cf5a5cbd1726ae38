import { CommitUnknownError, type Database } from '../platform/db/database.ts';
import { AppError, unavailable } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { commitGroup, type GroupOutcome, hasCommitted } from './commit-group.ts';
import type { Decision } from './decide.ts';
import { ledgerBusy, outcomeUnknown } from './errors.ts';
import { createCheckOrder } from './guards/locked-checks.ts';
import type { CommitResult, Movement } from './movement.ts';

/** Movements in one database transaction. Beyond this a group takes longer without costing less a movement. */
const MAX_GROUP_MOVEMENTS = 1_000;
/** Transfers in one group, so that a few big batches do not make a giant transaction. */
const MAX_GROUP_TRANSFERS = 5_000;
/** Movements waiting for their group. Past this the service says it is busy rather than answering seconds later. */
const MAX_WAITING_MOVEMENTS = 20_000;
/** How long a lost COMMIT is looked up before the client is told that its outcome is unknown. */
const LOOKUP_DEADLINE_MS = 15_000;
const LOOKUP_PAUSE_MS = 200;
/** Answers written before the event loop looks at what else has come. */
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
   * database was lost behind the COMMIT and stayed away.
   */
  commit(movement: Movement): Promise<CommitResult>;
  /** Resolves when everything taken in is answered. */
  drain(): Promise<void>;
}

export interface GroupCommitOptions {
  database: Database;
  logger: Logger;
  /** Groups under way at once. A merchant's movements always ride in the same lane, in order of arrival. */
  lanes: number;
  /** Told the size of each group that committed. */
  onGroup?: (movements: number) => void;
}

/**
 * Many concurrent movements become one database transaction: while one group commits, the next one gathers. A lone
 * movement leaves at once.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const lanes = Array.from({ length: options.lanes }, () => createLane(options));
  return {
    commit(movement) {
      const lane = lanes[laneOf(movement.tenant.merchantId, lanes.length)];
      if (lane === undefined) throw new Error('a group commit needs at least one lane');
      return lane.commit(movement);
    },
    async drain() {
      await Promise.all(lanes.map((lane) => lane.drain()));
    },
  };
}

function laneOf(merchantId: string, lanes: number): number {
  return Number.parseInt(merchantId.slice(-6), 16) % lanes;
}

function createLane({ database, logger, onGroup }: GroupCommitOptions): GroupCommit {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    // Requests that arrived in the same turn of the event loop ride together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const { group, rest } = takeGroup(waiting);
      waiting = rest;
      const tell = await commitAll(database, logger, group);
      onGroup?.(group.length);
      tellInTurns(tell);
    }
    running = undefined;
  }

  return {
    commit(movement) {
      assertTold(movement);
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

/** A movement that changes anything says so in an event: that is also how a lost COMMIT is looked up. */
function assertTold(movement: Movement): void {
  const { transfers, transitions, writes, numbered, marks, unmarks, allowances } = movement;
  const changes = [transfers, transitions, writes, numbered, marks, unmarks, allowances].reduce(
    (sum, some) => sum + (some?.length ?? 0),
    0,
  );
  if (changes > 0 && (movement.events?.length ?? 0) === 0) throw new Error(`movement ${movement.id} tells nobody`);
}

/**
 * The next group, in order of arrival, and who waits on. A movement that asks about what one before it changes is left
 * to a later group; others go past it, so that nobody else waits for it.
 */
function takeGroup(waiting: readonly Waiting[]): { group: Waiting[]; rest: Waiting[] } {
  const mayJoin = createCheckOrder();
  const group: Waiting[] = [];
  const rest: Waiting[] = [];
  let transfers = 0;
  for (const [at, one] of waiting.entries()) {
    const together = transfers + (one.movement.transfers?.length ?? 0);
    if (group.length > 0 && (group.length >= MAX_GROUP_MOVEMENTS || together > MAX_GROUP_TRANSFERS)) {
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
 * Answering a large group takes milliseconds. A few at a time, the next group is sent, read and decided in between, and
 * the database does not wait for answers to be written.
 */
function tellInTurns(tell: readonly (() => void)[]): void {
  for (const one of tell.slice(0, ANSWERS_A_TURN)) one();
  if (tell.length > ANSWERS_A_TURN) setImmediate(tellInTurns, tell.slice(ANSWERS_A_TURN));
}

/** Commits a group, whatever it takes, and returns what tells each movement its outcome. */
async function commitAll(database: Database, logger: Logger, group: readonly Waiting[]): Promise<(() => void)[]> {
  try {
    const decisions = await commitOrLookUp(
      database,
      group.map(({ movement }) => movement),
    );
    return group.map((waiting, at) => () => settle(waiting, decisions[at]));
  } catch (error) {
    if (error instanceof AppError || group.length === 1) {
      return group.map((waiting) => () => waiting.reject(error));
    }
    // A defect in one movement must not touch its neighbours: each goes alone, and the one at fault fails alone.
    logger.error({ err: error, movements: group.length }, 'group failed; committing its movements one by one');
    const told: (() => void)[] = [];
    for (const waiting of group) told.push(...(await commitAll(database, logger, [waiting])));
    return told;
  }
}

function settle(waiting: Waiting, decision: Decision | undefined): void {
  if (decision === undefined) waiting.reject(new Error('the group gave no decision'));
  else if (decision instanceof AppError) waiting.reject(decision);
  else waiting.resolve(decision);
}

/** Never guesses: after a lost COMMIT the books are asked, and only a group that is not in them runs again. */
async function commitOrLookUp(database: Database, movements: readonly Movement[]): Promise<Decision[]> {
  const deadline = Date.now() + LOOKUP_DEADLINE_MS;
  for (;;) {
    let sent: GroupOutcome | undefined;
    try {
      const outcome = await commitGroup(database, movements, (attempted) => {
        sent = attempted;
      });
      return outcome.decisions;
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
      if (sent?.witness !== undefined && (await lookUp(database, movements, sent, deadline, error)))
        return sent.decisions;
      // Not in the books, or nothing but refusals: safe to decide again.
      if (Date.now() > deadline) throw unavailable('The database cannot be reached. Please try again shortly.', error);
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
      if (!again || Date.now() > deadline) throw outcomeUnknown(lost);
      await new Promise((resolve) => setTimeout(resolve, LOOKUP_PAUSE_MS));
    }
  }
}
