import { checkApprovals } from '../approvals/index.ts';
import { checkAuditLog } from '../audit/index.ts';
import { type Database, isUnreadable, type Queries } from '../platform/db/database.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { Secrets } from '../platform/secrets.ts';
import { accountChecks } from './accounts-queries.ts';
import { approvalEventChecks } from './approval-events-queries.ts';
import { approvalChecks } from './approvals-queries.ts';
import { type ReadArchive, readArchive } from './archive.ts';
import { PREPARE_ARCHIVE, READS_ARCHIVED } from './archive-queries.ts';
import { attemptChecks } from './attempts-queries.ts';
import { batchChangeChecks } from './batch-changes-queries.ts';
import { batchChecks, batchGroupChecks, duplicateChecks } from './batches-queries.ts';
import { bookChecks } from './books-queries.ts';
import { chargeChecks, collectionFeeChecks } from './charges-queries.ts';
import { collectionChecks } from './collections-queries.ts';
import { complianceChecks } from './compliance-queries.ts';
import { creditChecks } from './credits-queries.ts';
import { dailyCloseChecks } from './daily-close-queries.ts';
import { deductionChecks } from './deductions-queries.ts';
import { dailyTotalChecks, payoutDirectoryChecks, searchChecks } from './derived-queries.ts';
import { disputeEventChecks } from './dispute-events-queries.ts';
import { disputeProposalChecks } from './dispute-proposals-queries.ts';
import { disputeRecordChecks } from './dispute-records-queries.ts';
import { disputeChecks } from './disputes-queries.ts';
import { eventChecks } from './events-queries.ts';
import { guardChecks } from './guards-queries.ts';
import { historyChecks } from './history-queries.ts';
import { manualCreditChecks } from './manual-credits-queries.ts';
import { merchantSettlementChecks } from './merchant-settlements-queries.ts';
import { outcomeChecks } from './outcomes-queries.ts';
import { paymentLinkChecks } from './payment-links-queries.ts';
import { paymentSessionChecks } from './payment-sessions-queries.ts';
import { alteredChecks, payoutChecks } from './payouts-queries.ts';
import { providerSettlementChecks } from './provider-settlements-queries.ts';
import {
  backToMark,
  type Check,
  countRows,
  joinByHash,
  joinByIndex,
  MAX_EXAMPLES,
  type SizeRow,
  setMark,
  takeMemory,
} from './queries.ts';
import { answerChecks, auditChecks, recordChecks, webhookChecks } from './records-queries.ts';
import { refundRuleChecks } from './refund-rules-queries.ts';
import { refundChecks } from './refunds-queries.ts';
import { reserveChecks } from './reserves-queries.ts';
import { sandboxChecks, workChecks } from './sandbox-queries.ts';
import { settlementChecks } from './settlements-queries.ts';
import { statementTotalChecks } from './statement-totals-queries.ts';
import { suspenseChecks } from './suspense-queries.ts';
import { virtualAccountChecks } from './virtual-accounts-queries.ts';

/** All that statements can prove. */
export const CHECKS: readonly Check[] = [
  ...bookChecks,
  ...dailyTotalChecks,
  ...statementTotalChecks,
  ...payoutDirectoryChecks,
  ...accountChecks,
  ...payoutChecks,
  ...recordChecks,
  ...eventChecks,
  ...historyChecks,
  ...workChecks,
  ...outcomeChecks,
  ...manualCreditChecks,
  ...attemptChecks,
  ...answerChecks,
  ...guardChecks,
  ...duplicateChecks,
  ...approvalChecks,
  ...alteredChecks,
  ...approvalEventChecks,
  ...batchChecks,
  ...batchChangeChecks,
  ...batchGroupChecks,
  ...chargeChecks,
  ...collectionFeeChecks,
  ...settlementChecks,
  ...virtualAccountChecks,
  ...collectionChecks,
  ...creditChecks,
  ...suspenseChecks,
  ...complianceChecks,
  ...refundChecks,
  ...refundRuleChecks,
  ...providerSettlementChecks,
  ...disputeChecks,
  ...disputeEventChecks,
  ...disputeProposalChecks,
  ...disputeRecordChecks,
  ...reserveChecks,
  ...deductionChecks,
  ...merchantSettlementChecks,
  ...dailyCloseChecks,
  ...paymentSessionChecks,
  ...paymentLinkChecks,
  ...sandboxChecks,
  ...webhookChecks,
  ...searchChecks,
  ...auditChecks,
];

export interface CheckResult {
  name: string;
  sentence: string;
  /** It was made, and found nothing. */
  ok: boolean;
  /** It could not be made, since it reads what is archived and the files are not there: that says nothing about the books. */
  isUnproven: boolean;
  /** How many there are; `examples` names at most 20 of them. Amounts in minor units. */
  violations: number;
  examples: { merchantId: string; mode: string; detail: string }[];
}

export interface VerifyReport {
  ok: boolean;
  /** How much was looked at. */
  sizes: SizeRow;
  /** How long the proof took: so old is what it says. */
  seconds: number;
  checks: CheckResult[];
}

/** What no statement can prove: it takes a computation, or a key that is not in the database. */
interface ComputedCheck extends Pick<Check, 'name' | 'sentence'> {
  faults(queries: Queries): AsyncIterable<{ merchantId: string; mode?: string; detail: string }>;
}

const approvalsAreWhatWasShown: ComputedCheck = {
  name: 'approvals-are-what-was-shown',
  sentence: 'Every approval is what its digest says was shown: its text, its amounts, its effect and its maker.',
  faults: checkApprovals,
};

const auditLogIsWhole = (secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>): ComputedCheck => ({
  name: 'audit-log-is-whole',
  sentence: 'The audit log is whole: every entry is what was sealed, and none was taken out.',
  faults: (queries) => checkAuditLog(queries, secrets),
});

/** How many checks `verifyAll` makes. */
export const CHECKS_IN_ALL = CHECKS.length + 3;

export interface VerifyDeps {
  database: Pick<Database, 'readApart'>;
  secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>;
  /** Where the files of archived events are; what was archived cannot be proven without. */
  archiveDir?: string | undefined;
}

/**
 * Proves the books and that the audit log is whole, whose seals need the key that is not in the database.
 * @param onCheck called with each check as it ends, for whoever waits.
 */
export function verifyAll(deps: VerifyDeps, onCheck?: OnCheck): Promise<VerifyReport> {
  return prove(deps, [approvalsAreWhatWasShown, auditLogIsWhole(deps.secrets)], onCheck);
}

/** The books alone, for whoever has no key. */
export function verifyBooks(database: VerifyDeps['database'], onCheck?: OnCheck): Promise<VerifyReport> {
  return prove({ database }, [approvalsAreWhatWasShown], onCheck);
}

type OnCheck = (check: CheckResult) => void;

/** Two checks at once: more would take from the live traffic beside it what two cores have. */
const CHECKS_AT_ONCE = 2;

/**
 * Every check over every merchant, as of one moment. Runs beside live traffic: it has connections of its own, takes no
 * lock that anyone waits for and cannot write. While it runs, PostgreSQL keeps old row versions, so it is no job for
 * every minute.
 */
function prove(
  { database, archiveDir }: Pick<VerifyDeps, 'database' | 'archiveDir'>,
  computed: readonly ComputedCheck[],
  onCheck: OnCheck = () => undefined,
): Promise<VerifyReport> {
  const begun = performance.now();
  const proveAt = async (each: readonly Queries[]) => {
    const archive = await readArchive(each, archiveDir);
    const canAsk = ({ find }: Check) => archive.isWhole || !READS_ARCHIVED.test(find.text);
    const all = [
      ...CHECKS.map((check) => ({
        check,
        join: joinByHash,
        find: (queries: Queries) => (canAsk(check) ? ask(queries, check) : Promise.resolve(undefined)),
      })),
      { check: archivesAreWhole, join: joinByHash, find: () => Promise.resolve(foundIn(archive)) },
      ...computed.map((check) => ({ check, join: joinByIndex, find: (queries: Queries) => compute(queries, check) })),
    ];
    const results: CheckResult[] = [];
    const waiting = all.entries();
    const work = async (queries: Queries) => {
      await queries.query(takeMemory);
      let joined: Statement<unknown> | undefined;
      // One iterator for all: each check is taken once.
      for (const [at, { check, join, find }] of waiting) {
        if (join !== joined) {
          await queries.query(join);
          await queries.query(setMark);
          joined = join;
        }
        const result = await survey(queries, check, () => find(queries));
        results[at] = result;
        onCheck(result);
      }
    };
    const [sizes] = (await each[0]?.query(countRows)) ?? [];
    if (sizes === undefined) throw new Error('counting gave no row');
    await Promise.all(each.map(work));
    const seconds = (performance.now() - begun) / 1_000;
    return { ok: results.every(({ ok }) => ok), sizes, seconds, checks: results };
  };
  return database.readApart(CHECKS_AT_ONCE, proveAt, archiveDir === undefined ? undefined : PREPARE_ARCHIVE);
}

const archivesAreWhole: Pick<Check, 'name' | 'sentence'> = {
  name: 'archives-are-whole',
  sentence:
    'Every file of archived events is what was written, of its own tenant, behind the one before it; what it has is gone from the tables as far as is written down, and every key in it leads to what it made.',
};

/** Undefined where there are files, and nobody said where. */
function foundIn({ faults, isWhole }: ReadArchive): Found | undefined {
  if (!isWhole && faults.length === 0) return undefined;
  return { violations: faults.length, examples: faults.slice(0, MAX_EXAMPLES) };
}

type Found = Pick<CheckResult, 'violations' | 'examples'>;

/** What cannot be read, such as an amount that is no number, is as wrong as what does not agree. */
async function survey(
  queries: Queries,
  { name, sentence }: Pick<Check, 'name' | 'sentence'>,
  find: () => Promise<Found | undefined>,
): Promise<CheckResult> {
  try {
    const found = await find();
    if (found === undefined) return { name, sentence, ok: false, isUnproven: true, violations: 0, examples: [] };
    return { name, sentence, ok: found.violations === 0, isUnproven: false, ...found };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await queries.query(backToMark);
    const detail = `what is there cannot be read: ${(error as Error).message}`;
    return {
      name,
      sentence,
      ok: false,
      isUnproven: false,
      violations: 1,
      examples: [{ merchantId: '', mode: '', detail }],
    };
  }
}

async function ask(queries: Queries, { find }: Check): Promise<Found> {
  const rows = await queries.query(find);
  const examples = rows.map(({ merchant_id: merchantId, mode, detail }) => ({ merchantId, mode, detail }));
  return { violations: Number(rows[0]?.violations ?? 0n), examples };
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

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** For the terminal: a line for each check, its violations below it, and the verdict last. Ends with a line break. */
export function formatReport(report: VerifyReport, options: { color: boolean } = { color: false }): string {
  const paint = (color: string, text: string) => (options.color ? `${color}${text}${PLAIN}` : text);
  const lines = report.checks.flatMap((check) => [
    `${check.ok ? paint(GREEN, 'ok    ') : paint(RED, check.isUnproven ? '?     ' : 'BROKEN')}  ${check.sentence}`,
    ...examplesOf(check),
  ]);
  const { books, accounts, transfers, transactions, read_at, is_replica } = report.sizes;
  const where = is_replica ? 'the replica' : 'the primary';
  const moment = `As of ${read_at.toISOString()}, ${report.seconds.toFixed(1)} s ago, read at ${where}.`;
  const looked = `${counted(books)} books, ${counted(accounts)} accounts, ${counted(transfers)} transfers, ${counted(transactions)} transactions`;
  const verdict = report.ok ? paint(GREEN, 'The books are right.') : paint(RED, whyNot(report.checks));
  return `${[...lines, '', moment, `${verdict} ${looked}.`].join('\n')}\n`;
}

/** What is wrong comes first: that something could not be looked at says nothing about it. */
function whyNot(checks: readonly CheckResult[]): string {
  const unproven = checks.filter(({ isUnproven }) => isUnproven).length;
  const broken = checks.filter(({ ok, isUnproven }) => !ok && !isUnproven).length;
  const wrong = `The books are wrong: ${broken} of ${checks.length} checks are broken.`;
  const unseen = `${unproven} of ${checks.length} checks, marked with ?, could not be made: they need every file of the archive (--archive DIR).`;
  if (unproven === 0) return wrong;
  return broken === 0 ? `Not all is proven, and nothing was found wrong: ${unseen}` : `${wrong} ${unseen}`;
}

function examplesOf({ name, ok, isUnproven, violations, examples }: CheckResult): string[] {
  if (ok || isUnproven) return [];
  const more = violations - examples.length;
  return [
    `        ${name}: ${counted(violations)} in all, amounts in minor units:`,
    ...examples.map(
      ({ merchantId, mode, detail }) =>
        `        ${merchantId === '' ? '' : `merchant ${merchantId} ${mode}: `}${detail}`,
    ),
    ...(more > 0 ? [`        and ${counted(more)} more`] : []),
  ];
}

function counted(count: number | bigint): string {
  return count.toLocaleString('en-GB');
}

/** Where the report is written: `process.stdout`, or whatever collects text. */
export interface ReportOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Proves the books and the audit log, and writes the report. Resolves to the exit code: 0 when they are right, 1 when they are not. */
export async function runVerify(deps: VerifyDeps, out: ReportOutput): Promise<number> {
  const report = await verifyAll(deps);
  out.write(formatReport(report, { color: out.isTTY === true && process.env['NO_COLOR'] === undefined }));
  return report.ok ? 0 : 1;
}
