import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import { CHECKS_IN_ALL, type CheckResult, verifyAll } from '../verify/index.ts';
import {
  deleteOldVerifyRuns,
  findLastVerdict,
  findLastVerifyRun,
  insertVerifyRun,
  type VerifyRunRow,
} from './queries.ts';

/** How much was looked at. */
interface VerifySizes {
  books: number;
  accounts: number;
  transfers: number;
  transactions: number;
}

/** A proof that is being made, or the last one that was. */
interface VerifyRun {
  runId: string;
  /** `FAILED`: it could not be made, which says nothing about the books. */
  state: 'RUNNING' | 'RIGHT' | 'WRONG' | 'FAILED';
  startedAt: string;
  finishedAt: string | null;
  durationMs: number;
  startedBy: string;
  checksInAll: number;
  /** As far as it has come. */
  checks: CheckResult[];
  sizes: VerifySizes | null;
}

export interface Verification {
  /** Begins a proof. While one is under way in this process, whoever asks gets that one. */
  start(by: string): VerifyRun;
  /** The one under way here, else the last that any process made; null before the first. */
  readLast(): Promise<VerifyRun | null>;
  /** Whether the last one that could be made found the books wrong: one that is under way or failed unsays nothing. */
  areBooksWrong(): Promise<boolean>;
  /** Waits for the one under way. */
  stop(): Promise<void>;
}

interface VerificationDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
}

type Kept = Pick<VerifyRun, 'checks' | 'sizes' | 'checksInAll'>;
interface Running {
  id: string;
  by: string;
  startedAt: Date;
  /** By name: an attempt that is made again reports its checks again. */
  checks: Map<string, CheckResult>;
  ended: Promise<void>;
}

const KEPT_RUNS = 50;

/** Proofs on the operator's request, one at a time a process: each reads everything there is. */
export function createVerification(deps: VerificationDeps): Verification {
  let running: Running | undefined;

  async function prove(run: Running): Promise<void> {
    try {
      const report = await verifyAll(deps, (check) => run.checks.set(check.name, check));
      const { books, accounts, transfers, transactions } = report.sizes;
      const sizes = [books, accounts, transfers, transactions].map(Number);
      await keep(deps, run, report.ok ? 'RIGHT' : 'WRONG', sizes);
    } catch (error) {
      deps.logger.error({ err: error }, 'the proof of the books could not be made');
      await keep(deps, run, 'FAILED', undefined).catch(() => undefined);
    } finally {
      running = undefined;
    }
  }

  return {
    start(by) {
      if (running === undefined) {
        const run: Running = {
          id: newId(),
          by,
          startedAt: deps.clock.now(),
          checks: new Map(),
          ended: Promise.resolve(),
        };
        running = run;
        run.ended = prove(run);
      }
      return runningView(running, deps.clock.now());
    },
    async readLast() {
      if (running !== undefined) return runningView(running, deps.clock.now());
      const [row] = await deps.database.query(findLastVerifyRun);
      return row === undefined ? null : keptView(row);
    },
    async areBooksWrong() {
      const [verdict] = await deps.database.query(findLastVerdict);
      return verdict?.state === 'WRONG';
    },
    async stop() {
      await running?.ended;
    },
  };
}

async function keep(
  { database, clock }: VerificationDeps,
  run: Running,
  state: VerifyRunRow['state'],
  counted: readonly number[] | undefined,
): Promise<void> {
  const [books = 0, accounts = 0, transfers = 0, transactions = 0] = counted ?? [];
  const sizes = counted === undefined ? null : { books, accounts, transfers, transactions };
  const kept: Kept = { checks: [...run.checks.values()], sizes, checksInAll: CHECKS_IN_ALL };
  await database.query(insertVerifyRun, [run.id, state, run.startedAt, clock.now(), run.by, JSON.stringify(kept)]);
  await database.query(deleteOldVerifyRuns, [KEPT_RUNS]);
}

function runningView(run: Running, now: Date): VerifyRun {
  return {
    runId: run.id,
    state: 'RUNNING',
    startedAt: run.startedAt.toISOString(),
    finishedAt: null,
    durationMs: now.getTime() - run.startedAt.getTime(),
    startedBy: run.by,
    checksInAll: CHECKS_IN_ALL,
    checks: [...run.checks.values()],
    sizes: null,
  };
}

function keptView(row: VerifyRunRow): VerifyRun {
  return {
    runId: row.id,
    state: row.state,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at.toISOString(),
    durationMs: row.finished_at.getTime() - row.started_at.getTime(),
    startedBy: row.started_by,
    ...(JSON.parse(row.report) as Kept),
  };
}
