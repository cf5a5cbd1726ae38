import { type Database, isUnreadable, type Queries } from '../platform/db/database.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type ReadArchive, readArchive } from './archive.ts';
import { PREPARE_ARCHIVE, READS_ARCHIVED } from './archive-queries.ts';
import {
  approvalsAreWhatWasShown,
  archiveFilesAreThere,
  archivesAreWhole,
  auditLogIsWhole,
  CHECKS,
  type ComputedCheck,
} from './checks.ts';
import {
  backToMark,
  type Check,
  countRows,
  joinByHash,
  joinByIndex,
  MAX_EXAMPLES,
  setMark,
  takeMemory,
} from './queries.ts';
import { type CheckResult, formatReport, type VerifyReport } from './report.ts';

export interface VerifyDeps {
  database: Pick<Database, 'readApart'>;
  secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>;
  /** Where the files of archived events are; without it, checks that read archived events cannot be made. */
  archiveDir?: string | undefined;
}

type OnCheck = (check: CheckResult) => void;

/**
 * Proves the books and the audit log. The seals of the audit log need a key that is not in the database.
 * @param onCheck called with the result of each check as it ends.
 */
export function verifyAll(deps: VerifyDeps, onCheck?: OnCheck): Promise<VerifyReport> {
  return prove(deps, [approvalsAreWhatWasShown, auditLogIsWhole(deps.secrets)], onCheck);
}

/** Proves the books alone, without a key. */
export function verifyBooks(database: VerifyDeps['database'], onCheck?: OnCheck): Promise<VerifyReport> {
  return prove({ database }, [approvalsAreWhatWasShown], onCheck);
}

/** Two checks at once: more would take too much of a machine with two cores from the live traffic. */
const CHECKS_AT_ONCE = 2;

/**
 * Makes every check over every merchant, as of one moment. It runs beside live traffic: it has connections of its own,
 * takes no lock that anyone waits for and cannot write. While it runs, PostgreSQL keeps old row versions, so it should not
 * run every minute.
 */
function prove(
  { database, archiveDir }: Pick<VerifyDeps, 'database' | 'archiveDir'>,
  computed: readonly ComputedCheck[],
  onCheck: OnCheck = () => undefined,
): Promise<VerifyReport> {
  const begun = performance.now();
  const proveAt = async (connections: readonly Queries[]): Promise<VerifyReport> => {
    const archive = await readArchive(connections, archiveDir);
    const steps = stepsOf(archive, computed);
    const [sizes] = (await connections[0]?.query(countRows)) ?? [];
    if (sizes === undefined) throw new Error('counting gave no row');
    const checks: CheckResult[] = [];
    const waiting = waitingSteps(steps, archive);
    const take = (queries: Queries) =>
      takeSteps(queries, waiting(queries), (at, result) => {
        checks[at] = result;
        onCheck(result);
      });
    await Promise.all(connections.map(take));
    const seconds = (performance.now() - begun) / 1_000;
    return { ok: checks.every(({ ok }) => ok), sizes, seconds, checks };
  };
  return database.readApart(CHECKS_AT_ONCE, proveAt, archiveDir === undefined ? undefined : PREPARE_ARCHIVE);
}

/** What a check found. Undefined: it could not be made, since it reads archived events and their files are missing. */
type Found = Places | undefined;

interface Places extends Pick<CheckResult, 'violations' | 'examples'> {
  /** Nothing was found wrong, and not all was looked at: a file was abandoned. */
  isUnproven?: boolean;
}

/** One check, with the way in which its statements join and the way to make it. */
interface Step {
  check: Pick<Check, 'name' | 'sentence'>;
  join: Statement<unknown>;
  /** It is made where archived events are. */
  readsArchived: boolean;
  find(queries: Queries): Promise<Found>;
}

/** All checks in the order of the report: the statements, the archive, and the computed ones. */
function stepsOf(archive: ReadArchive, computed: readonly ComputedCheck[]): Step[] {
  const canAsk = ({ find }: Check) => archive.isWhole || !READS_ARCHIVED.test(find.text);
  return [
    ...CHECKS.map((check) => ({
      check,
      join: joinByHash,
      readsArchived: READS_ARCHIVED.test(check.find.text),
      find: (queries: Queries) => (canAsk(check) ? ask(queries, check, archive.unread) : Promise.resolve(undefined)),
    })),
    ...[
      { check: archiveFilesAreThere, found: missingIn(archive) },
      { check: archivesAreWhole, found: foundIn(archive.faults) },
    ].map(({ check, found }) => ({
      check,
      join: joinByHash,
      readsArchived: false,
      find: () => Promise.resolve(found),
    })),
    ...computed.map((check) => ({
      check,
      join: joinByIndex,
      readsArchived: false,
      find: (queries: Queries) => compute(queries, check),
    })),
  ];
}

/** The steps that a connection may take: each is taken once, and by one that reads what the step does. */
function waitingSteps(
  steps: readonly Step[],
  { readers }: ReadArchive,
): (queries: Queries) => Iterable<[at: number, step: Step]> {
  const all = [...steps.entries()];
  // One iterator for all connections.
  const archived = all.filter(([, { readsArchived }]) => readsArchived).values();
  const others = all.filter(([, { readsArchived }]) => !readsArchived).values();
  return function* waiting(queries) {
    if (readers.includes(queries)) yield* archived;
    yield* others;
  };
}

/** Takes steps on one connection until none waits. */
async function takeSteps(
  queries: Queries,
  waiting: Iterable<[at: number, step: Step]>,
  onResult: (at: number, result: CheckResult) => void,
): Promise<void> {
  await queries.query(takeMemory);
  let joined: Statement<unknown> | undefined;
  for (const [at, { check, join, find }] of waiting) {
    if (join !== joined) {
      await queries.query(join);
      await queries.query(setMark);
      joined = join;
    }
    onResult(at, await resultOf(queries, check, () => find(queries)));
  }
}

/** Makes one check. A value that cannot be read, such as an amount that is no number, is a violation too. */
async function resultOf(
  queries: Queries,
  { name, sentence }: Step['check'],
  find: () => Promise<Found>,
): Promise<CheckResult> {
  try {
    const found = await find();
    if (found === undefined) return { name, sentence, ok: false, isUnproven: true, violations: 0, examples: [] };
    const { isUnproven = false, ...places } = found;
    return { name, sentence, ok: places.violations === 0 && !isUnproven, isUnproven, ...places };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await queries.query(backToMark);
    const detail = `what is there cannot be read: ${(error as Error).message}`;
    const examples = [{ merchantId: '', mode: '', detail }];
    return { name, sentence, ok: false, isUnproven: false, violations: 1, examples };
  }
}

/** @param unread whom a check that reads archived events says nothing of */
async function ask(queries: Queries, check: Check, unread: readonly string[]): Promise<Found> {
  const isPartial = unread.length > 0 && READS_ARCHIVED.test(check.find.text);
  const { statement, values } = isPartial ? check.findWithout(unread) : { statement: check.find, values: [] };
  const rows = await queries.query(statement, values);
  const examples = rows.map(({ merchant_id: merchantId, mode, detail }) => ({ merchantId, mode, detail }));
  const violations = Number(rows[0]?.violations ?? 0n);
  return { violations, examples, isUnproven: isPartial && violations === 0 };
}

/** Files that are abandoned alone are nothing that people have to bring back: they are named, and not proven. */
function missingIn({ lost, abandoned }: ReadArchive): Found {
  const found = foundIn(lost && [...lost, ...abandoned]);
  return found && { ...found, isUnproven: lost?.length === 0 && abandoned.length > 0 };
}

/** Undefined where there are files, and no directory was given. */
function foundIn(faults: ReadArchive['faults']): Found {
  if (faults === undefined) return undefined;
  return { violations: faults.length, examples: faults.slice(0, MAX_EXAMPLES) };
}

async function compute(queries: Queries, { faults }: ComputedCheck): Promise<Found> {
  const examples: CheckResult['examples'] = [];
  let violations = 0;
  for await (const { merchantId, mode = '', detail } of faults(queries)) {
    violations += 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ merchantId, mode, detail });
  }
  return { violations, examples };
}

/** Where the report is written: `process.stdout`, or a collector of text. */
export interface ReportOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/**
 * Proves the books and the audit log, and writes the report.
 * @returns the exit code: 0 when they are right, 1 when they are not.
 */
export async function runVerify(deps: VerifyDeps, out: ReportOutput): Promise<number> {
  const report = await verifyAll(deps);
  out.write(formatReport(report, { color: out.isTTY === true && process.env['NO_COLOR'] === undefined }));
  return report.ok ? 0 : 1;
}
