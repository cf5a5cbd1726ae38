import type { Answer } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { newId } from '../platform/ids.ts';
import { createJobMonitor, type JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { Peers } from '../platform/processes/peers.ts';
import type { Tenant } from '../platform/tenant.ts';
import { answerAgain } from './earlier-answers.ts';
import { createGroupCommit } from './group-commit.ts';
import type { CommitResult, IdempotencyKey } from './movement.ts';
import { readEachAnswer, type WantedAnswer } from './read-answers.ts';
import { type BalanceReader, createBalanceReader } from './read-balances.ts';
import { createRoutedCommit, type RoutedCommit } from './routed-commit.ts';
import { createShardFinder, type ShardOf } from './shards.ts';

export { type ActiveBooks, type ActiveBooksOptions, askedBooks, followActiveBooks } from './active-books.ts';
export { addUpDays, busyDaysAdder } from './add-up-days.ts';
export {
  listArchives,
  listEveryArchive,
  listEveryLostArchive,
  listLostArchives,
  readArchivable,
  readArchivedTo,
  readSlowestReader,
  recordArchive,
  recordFoundArchive,
  recordLostArchive,
  removeLines,
} from './archive-events.ts';
export { ARCHIVED_TYPE, type EventArchiveRow, fingerprintSql, type LostArchiveRow } from './archive-queries.ts';
export { OWN_CODES, WALLET_KINDS } from './daily-total-queries.ts';
export { eventsArchived } from './errors.ts';
export { booksBehind, type EventRow, eventsRead, type PassedOver, passedOver } from './event-queries.ts';
export {
  type EventReader,
  eventFollower,
  type FollowDeps,
  followEvents,
  holdReader,
  readFollowedTo,
} from './follow-events.ts';
export { usedOfLimit } from './guard-queries.ts';
export {
  type CommitResult,
  type EventAnswer,
  type EventDraft,
  type IdempotencyKey,
  joinParts,
  type LimitUsage,
  type LockedCheck,
  lockedCheck,
  type Movement,
  type MovementParts,
  numberedWrite,
  type Reservation,
  type ResolutionDraft,
  type TransferCode,
  type TransferDraft,
  type Transition,
  type UniqueKey,
  type VaryingText,
} from './movement.ts';
export {
  accountWrite,
  findSystemAccounts,
  openBooks,
  openLateAccount,
  type SystemAccounts,
} from './open-accounts.ts';
export type { AccountKind, LateAccountKind, StoredTransfer } from './queries.ts';
export { EVERY_TENANT, hasMoneySql, walletHasMoneySql } from './queries.ts';
export type { Balance, WalletTotal } from './read-balances.ts';
export { readOldestBehind, readReceivableSums } from './read-behind.ts';
export { type BookBalance, type BookTotals, type MovedTotal, readBookTotals } from './read-book-totals.ts';
export { type DayTotals, readDailyTotals } from './read-daily-totals.ts';
export {
  eachEntry,
  eachTransactionOfCodes,
  pageEntries,
  readCodeSums,
  readEntryBound,
} from './read-entries.ts';
export {
  type EventPage,
  type EventTypes,
  findEvents,
  findKeyEffect,
  listEvents,
  listStateChanges,
  listSubjectEvents,
  readEventSequence,
  readEventSequences,
  readEventSubjects,
  readEventTypes,
  readLastEvents,
  type StateChangeRow,
  type SubjectEventRow,
} from './read-events.ts';
export { findUniqueKeySubject, listTransactionTransfers, readLimitUsage } from './read-guards.ts';
export {
  pageStatement,
  type StatementBalances,
  type StatementPeriod,
  type StatementSums,
  streamStatement,
} from './read-statement.ts';
export { readSystemTotals } from './read-system-totals.ts';
export { listBooks, rebuildTotals } from './rebuild-totals.ts';
export { byShard, createShardFinder, type ShardOf } from './shards.ts';
export { isFinal, type StateChange, type StateMachine, stateChangeColumns, stateMachine } from './state-machine.ts';
export {
  type CodeSum,
  DISORDER,
  type EntryRange,
  findReach,
  POSTED,
  type StatementEntry,
} from './statement-queries.ts';
export { STATEMENT_STEP } from './statement-total-queries.ts';
export { walletsTotalCheck } from './wallets-total.ts';

export interface Ledger extends RoutedCommit, BalanceReader {
  /**
   * The first answer under this key, if there is a key and an answer: for requests that are refused before they become
   * a movement.
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` when the key was used with another input, `IDEMPOTENCY_KEY_ARCHIVED`.
   */
  findAnswer(tenant: Tenant, idempotency: IdempotencyKey): Promise<CommitResult | undefined>;
  /** Keeps an answer under the key of a request that moved nothing, or returns the one that was kept first. */
  remember(tenant: Tenant, idempotency: IdempotencyKey, answer: Answer): Promise<CommitResult>;
}

export interface LedgerOptions {
  database: Database;
  logger: Logger;
  clock: Clock;
  /** As `GroupCommitOptions` has them. */
  committers: number;
  /** Where defects are reported; a monitor of its own unless given. */
  jobs?: JobMonitor;
  onGroup?: (movements: number) => void;
  /** Finds the shard of a merchant; a finder of its own unless given. */
  shardOf?: ShardOf;
  /** The other processes of the service; none unless given. */
  peers?: Peers | undefined;
}

/** The only writer of the books: every change of money, with its record, event and key, is committed by `commit`. */
export function createLedger(options: LedgerOptions): Ledger {
  const { database, clock, committers, onGroup, peers, jobs = createJobMonitor(options) } = options;
  const { shardOf = createShardFinder(database) } = options;
  const failures = jobs.failuresOf('ledger.commit');
  const local = createGroupCommit({ database, failures, committers, shardOf, ...(onGroup && { onGroup }) });
  const groups = peers === undefined ? { ...local, committerOf: () => undefined } : createRoutedCommit(local, peers);
  const readAnswer = createGroupReader((wanted: WantedAnswer[]) => readEachAnswer(database, wanted));
  return {
    ...groups,
    ...createBalanceReader(database),
    async findAnswer(tenant, { key, inputHash }) {
      if (key === null) return undefined;
      const earlier = await readAnswer({ tenant, key });
      if (earlier === undefined) return undefined;
      const again = answerAgain(earlier, inputHash);
      if (again instanceof AppError) throw again;
      return again;
    },
    remember(tenant, idempotency, answer) {
      return groups.commit({ tenant, id: newId(), occurredAt: clock.now().toISOString(), idempotency, answer });
    },
  };
}
