import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { CheckResult, VerifyReport } from '../verify/index.ts';
import {
  deleteOldVerifyRuns,
  findLastVerdict,
  findLastVerifyRun,
  insertVerifyRun,
  type VerifyRunRow,
} from './queries.ts';
import { OneOf } from './schemas.ts';

/** How much the proof looked at. */
interface VerifySizes {
  books: number;
  accounts: number;
  transfers: number;
  transactions: number;
}

/**
 * `ATTENTION`: the books are right, and totals behind them or seals of the audit log are not. `FAILED`: the proof could not be
 * made, or not all of it, which says nothing about the books.
 */
export const RUN_STATES = ['RUNNING', 'RIGHT', 'ATTENTION', 'WRONG', 'FAILED'] as const;

/** A proof under way, or the last one that was made. */
interface VerifyRun {
  runId: string;
  state: (typeof RUN_STATES)[number];
  startedAt: string;
  finishedAt: string | null;
  durationMs: number;
  startedBy: string;
  checksInAll: number;
  /** The results so far. */
  checks: CheckResult[];
  sizes: VerifySizes | null;
}

export interface Verification {
  /** Begins a proof. While one is under way in this process, every caller gets that one. */
  start(by: string): Promise<VerifyRun>;
  /** The proof under way in this process, or else the last one of any process. Null before the first. */
  readLast(): Promise<VerifyRun | null>;
  /**
   * Whether the last proof that came to a verdict found the books wrong. One that is under way or failed changes
   * nothing about that.
   */
  areBooksWrong(): Promise<boolean>;
  /** Waits for the proof under way. */
  stop(): Promise<void>;
}

interface VerificationDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  /** The directory of archived events. */
  archiveDir?: string | undefined;
}

type Kept = Pick<VerifyRun, 'checks' | 'sizes' | 'checksInAll'>;
interface Running {
  id: string;
  by: string;
  startedAt: Date;
  /** Results by name: a check that is tried again reports once more. */
  checks: Map<string, CheckResult>;
  checksInAll: number;
  ended: Promise<void>;
}

const KEPT_RUNS = 50;

/** Loads the checks later: most processes never send their statements. */
const loadChecks = () => import('../verify/index.ts');
type Checks = Awaited<ReturnType<typeof loadChecks>>;

/** Makes proofs on the operator's request, one at a time in a process, because each reads everything. */
export function createVerification(deps: VerificationDeps): Verification {
  let running: Running | undefined;

  async function prove(run: Running, { areBooksWrong, verifyAll }: Checks): Promise<void> {
    try {
      const report = await verifyAll({ ...deps, database: deps.database.reading }, (check) =>
        run.checks.set(check.name, check),
      );
      const { books, accounts, transfers, transactions } = report.sizes;
      const sizes = [books, accounts, transfers, transactions].map(Number);
      await keep(deps, run, stateOf(report, areBooksWrong(report.checks)), sizes);
    } catch (error) {
      deps.logger.error({ err: error }, 'the proof of the books could not be made');
      await keep(deps, run, 'FAILED', undefined).catch(() => undefined);
    } finally {
      running = undefined;
    }
  }

  return {
    async start(by) {
      const loaded = await loadChecks();
      // There is no await from here on, so that callers at the same time get one proof.
      if (running === undefined) {
        const run: Running = {
          id: newId(),
          by,
          startedAt: deps.clock.now(),
          checks: new Map(),
          checksInAll: loaded.CHECKS_IN_ALL,
          ended: Promise.resolve(),
        };
        running = run;
        run.ended = prove(run, loaded);
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

/** What a finished proof says of the books. Where they are not wrong but not everything could be looked at, nobody knows. */
function stateOf({ checks }: VerifyReport, areWrong: boolean): VerifyRunRow['state'] {
  if (areWrong) return 'WRONG';
  return checks.some(({ isUnproven }) => isUnproven) ? 'FAILED' : 'RIGHT';
}

async function keep(
  { database, clock }: VerificationDeps,
  run: Running,
  state: VerifyRunRow['state'],
  counted: readonly number[] | undefined,
): Promise<void> {
  const [books = 0, accounts = 0, transfers = 0, transactions = 0] = counted ?? [];
  const sizes = counted === undefined ? null : { books, accounts, transfers, transactions };
  const kept: Kept = { checks: [...run.checks.values()], sizes, checksInAll: run.checksInAll };
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
    checksInAll: run.checksInAll,
    checks: [...run.checks.values()],
    sizes: null,
  };
}

function keptView(row: VerifyRunRow): VerifyRun {
  const kept = JSON.parse(row.report) as Kept;
  return {
    runId: row.id,
    state: row.state === 'RIGHT' && kept.checks.some(({ ok }) => !ok) ? 'ATTENTION' : row.state,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at.toISOString(),
    durationMs: row.finished_at.getTime() - row.started_at.getTime(),
    startedBy: row.started_by,
    ...kept,
    // Proofs from before archives existed lack this field.
    checks: kept.checks.map((check) => ({ ...check, isUnproven: check.isUnproven ?? false })),
  };
}

const Check = Type.Object({
  name: Type.String({ description: 'Stable, for programs.', examples: ['debits-equal-credits'] }),
  sentence: Type.String({ description: 'What holds when nothing is found.' }),
  ok: Type.Boolean(),
  isUnproven: Type.Boolean({
    description:
      'It reads events that are archived, and files of them are not there: nobody knows whether it holds. Where files were abandoned, archive-files-are-there names them, and it holds for all merchants but theirs.',
  }),
  violations: Type.Integer(),
  examples: Type.Array(Type.Object({ merchantId: Type.String(), mode: Type.String(), detail: Type.String() }), {
    description: 'At most 20; amounts in kobo.',
  }),
});

const VerifyRunSchema = Named(
  'VerifyRun',
  Type.Object({
    runId: Uuid(),
    state: OneOf(
      RUN_STATES,
      'ATTENTION: the books are right, and totals behind them or seals of the audit log are not. FAILED: it could not be made, or not all of it.',
    ),
    startedAt: DateTime(),
    finishedAt: Nullable(DateTime()),
    durationMs: Type.Integer(),
    startedBy: Type.String(),
    checksInAll: Type.Integer(),
    checks: Type.Array(Check, { description: 'As far as it has come.' }),
    sizes: Nullable(
      Type.Object({
        books: Type.Integer(),
        accounts: Type.Integer(),
        transfers: Type.Integer(),
        transactions: Type.Integer(),
      }),
    ),
  }),
);

const TAGS = ['Operator: money safety'];

export function verificationRoutes(verification: Verification): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/verify',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'getVerification',
          summary: 'The proof of the books that is being made, or the last one; null before the first',
          response: answers(Success(Nullable(VerifyRunSchema))),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', await verification.readLast())),
    );
    app.post(
      '/operator/verify',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'startVerification',
          summary: 'Prove that the books are right; while a proof is being made, that one',
          response: answers(Success(VerifyRunSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('The proof is being made', await verification.start(request.operator.email))),
    );
  };
}
