import { ANNOUNCEMENTS_TO_MAIL, mailAnnouncements } from './announcements/index.ts';
import { type ApprovalDeps, EXPIRED_APPROVALS, expireApprovals, followRules } from './approvals/index.ts';
import { sealAudit, UNSEALED_CHAINS } from './audit/index.ts';
import { sweepUploads } from './batch-files/index.ts';
import { pollCredits, retryOpenCredits } from './collections/index.ts';
import { endCasesOver, OPEN_CASES } from './compliance/index.ts';
import type { Container } from './container.ts';
import {
  askAboutDisputes,
  askAboutEnds,
  DUE_ANSWERS,
  DUE_DISPUTES,
  ENDED_DISPUTES,
  OWED_DISPUTES,
  pollDisputes,
  REPORTED_DISPUTES,
  remindOfDisputes,
  repayDebts,
  SHORT_DISPUTES,
  sendDueAnswers,
  takeFreed,
  UNHELD_DISPUTES,
} from './disputes/index.ts';
import { addUpDays, busyDaysAdder } from './ledger/index.ts';
import { type MailServer, sendDueMails, wipeOldMails } from './mail/index.ts';
import { DUE_SCHEDULES, DUE_SETTLEMENTS, followSettlements, settleDue } from './merchant-settlements/index.ts';
import { DUE_EXPIRIES, DUE_OPENINGS, expireSessions, openDueSessions } from './payment-sessions/index.ts';
import { payoutDirectoryKeeper } from './payout-directory/index.ts';
import { sweepDedupeKeys } from './payouts/index.ts';
import { sweepPeople } from './people/index.ts';
import { analyzeGrownTables } from './platform/db/statistics.ts';
import { MOST_A_RUN } from './platform/jobs/pieces.ts';
import type { Queue } from './platform/jobs/queries.ts';
import type { ScheduledJob } from './platform/jobs/worker.ts';
import type { Mode } from './platform/tenant.ts';
import { pollSettlements, recordFetchedSettlements, resumeSettlements } from './provider-settlements/index.ts';
import { SANDBOX_WEBHOOKS } from './rails/index.ts';
import { DUE_REFUNDS, PAYMENTS_TO_REFUND, refundByRules, sendDueRefunds } from './refunds/index.ts';
import { forgetBodies } from './request-log/index.ts';
import { DUE_RESERVES, releaseDueReserves } from './reserves/index.ts';
import { removeOldRows } from './retention/index.ts';
import { indexFiller } from './search/index.ts';
import { createRequestMissing, openDueAccounts } from './virtual-accounts/index.ts';
import { DUE_VIRTUAL_ACCOUNTS } from './wallets/index.ts';

const MODES: readonly Mode[] = ['LIVE', 'SANDBOX'];
const WEBHOOKS_EVERY_MS = 1_000;
const MAILS_EVERY_MS = 1_000;
const ANNOUNCE_EVERY_MS = 1_000;
const EXPIRE_EVERY_MS = 2_000;
const OPEN_ACCOUNTS_EVERY_MS = 1_000;
const OPEN_SESSIONS_EVERY_MS = 1_000;
const EXPIRE_SESSIONS_EVERY_MS = 2_000;
const RETRY_CREDITS_EVERY_MS = 2_000;
const REQUEST_ACCOUNTS_EVERY_MS = 10_000;
const SETTLE_EVERY_MS = 1_000;
const POLL_EVERY_MS = 60_000;
/** A list that is still read keeps the run that began it: so many leave the others a run. More do not pile up. */
const LISTS_AT_ONCE = 10;
const ASK_DISPUTES_EVERY_MS = 2_000;
const ASK_ENDS_EVERY_MS = 60_000;
const ANSWER_DISPUTES_EVERY_MS = 1_000;
const REPAY_EVERY_MS = 2_000;
const REMIND_EVERY_MS = 30_000;
const POLL_DISPUTES_EVERY_MS = 5 * 60_000;
const REFUNDS_EVERY_MS = 1_000;
const RELEASE_EVERY_MS = 2_000;
const POLL_SETTLEMENTS_EVERY_MS = 15 * 60_000;
const FETCH_SETTLEMENTS_EVERY_MS = 5_000;
const RESUME_SETTLEMENTS_EVERY_MS = 30_000;
const SEAL_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
const ADD_UP_EVERY_MS = 5 * 60_000;
const ADD_UP_BUSY_EVERY_MS = 5_000;
/** Books that went on by so many events do not wait for that. */
const BUSY_EVENTS = 1_000;
const DIRECTORY_EVERY_MS = 5_000;
const INDEX_EVERY_MS = 500;
const ANALYZE_EVERY_MS = 5_000;
const CASES_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 60 * 60_000;

/** What jobs wait for, by their names; the others look each time. */
export const QUEUES: Readonly<Record<string, readonly Queue[]>> = {
  'sandbox webhooks': SANDBOX_WEBHOOKS,
  'seals of the audit log': [UNSEALED_CHAINS],
  'cases that are over': [OPEN_CASES],
  'announcements by mail': [ANNOUNCEMENTS_TO_MAIL],
  'approvals that ran out': [EXPIRED_APPROVALS],
  'account numbers': [DUE_VIRTUAL_ACCOUNTS],
  'payment sessions': [DUE_OPENINGS],
  'payment sessions that expire': [DUE_EXPIRIES],
  refunds: [DUE_REFUNDS],
  'refunds by rule': [PAYMENTS_TO_REFUND],
  'settlements to banks': [DUE_SCHEDULES],
  'settlements under way': [DUE_SETTLEMENTS],
  'reserves to release': [DUE_RESERVES],
  disputes: [DUE_DISPUTES, REPORTED_DISPUTES],
  'ends of disputes': [ENDED_DISPUTES],
  'answers to disputes': [DUE_ANSWERS],
  'what disputes may take by now': [SHORT_DISPUTES, UNHELD_DISPUTES],
  'what merchants owe': [OWED_DISPUTES],
};

/** What a worker does beside payouts and webhooks: what is due by the clock, and what has had its time. */
export function scheduledJobsOf(
  deps: Container,
  { approvals, mailServer }: { approvals: ApprovalDeps; mailServer: MailServer | undefined },
): ScheduledJob[] {
  const scheduledJobs: ScheduledJob[] = [
    { name: 'sandbox webhooks', everyMs: WEBHOOKS_EVERY_MS, run: () => deps.sandbox.deliverAllDueWebhooks(deps.jobs) },
    { name: 'seals of the audit log', everyMs: SEAL_EVERY_MS, run: () => sealAudit(deps) },
    { name: 'statistics of tables that grew', everyMs: ANALYZE_EVERY_MS, run: () => analyzeGrownTables(deps) },
    { name: 'sessions, links and sign-ups that ended', everyMs: SWEEP_EVERY_MS, run: () => sweepPeople(deps) },
    { name: 'texts of old mails', everyMs: SWEEP_EVERY_MS, run: () => wipeOldMails(deps) },
    { name: 'dedupe keys that count no more', everyMs: FORGET_EVERY_MS, run: () => sweepDedupeKeys(deps) },
    {
      name: 'what has had its time',
      everyMs: FORGET_EVERY_MS,
      most: MOST_A_RUN,
      run: () => removeOldRows(deps, deps.retention),
    },
    { name: 'cases that are over', everyMs: CASES_EVERY_MS, run: () => endCasesOver(deps) },
    { name: 'bodies of requests', everyMs: SWEEP_EVERY_MS, most: MOST_A_RUN, run: () => forgetBodies(deps) },
    {
      name: 'announcements by mail',
      everyMs: ANNOUNCE_EVERY_MS,
      run: () => mailAnnouncements({ ...deps, hasMailServer: mailServer !== undefined }),
    },
  ];
  for (const mode of MODES) {
    scheduledJobs.push(
      ...dueJobs(deps, approvals, mode),
      ...jobsBehindTheBooks(deps, mode),
      ...providerJobs(deps, mode),
    );
  }
  if (mailServer !== undefined) {
    scheduledJobs.push(
      { name: 'mails', everyMs: MAILS_EVERY_MS, run: (stopped) => sendDueMails(deps, mailServer, 'first', stopped) },
      {
        name: 'mails that failed',
        everyMs: MAILS_EVERY_MS,
        run: (stopped) => sendDueMails(deps, mailServer, 'again', stopped),
      },
    );
  }
  return scheduledJobs.map((job) => ({ ...job, queues: QUEUES[job.name] ?? [] }));
}

/** What is due of merchants. */
function dueJobs(deps: Container, approvals: ApprovalDeps, mode: Mode): ScheduledJob[] {
  return [
    {
      name: 'approvals that ran out',
      mode,
      everyMs: EXPIRE_EVERY_MS,
      run: (stopped) => expireApprovals(approvals, mode, stopped),
    },
    {
      name: 'approval rules of both modes',
      mode,
      everyMs: SWEEP_EVERY_MS,
      run: (stopped) => followRules(deps, mode, stopped),
    },
    {
      name: 'uploads that were cut off',
      mode,
      everyMs: SWEEP_EVERY_MS,
      run: (stopped) => sweepUploads(deps, mode, stopped),
    },
    { name: 'account numbers', mode, everyMs: OPEN_ACCOUNTS_EVERY_MS, run: () => openDueAccounts(deps, mode) },
    { name: 'wallets without one', mode, everyMs: REQUEST_ACCOUNTS_EVERY_MS, run: createRequestMissing(deps, mode) },
    {
      name: 'payment sessions',
      mode,
      everyMs: OPEN_SESSIONS_EVERY_MS,
      run: (stopped) => openDueSessions(deps, mode, stopped),
    },
    {
      name: 'payment sessions that expire',
      mode,
      everyMs: EXPIRE_SESSIONS_EVERY_MS,
      run: (stopped) => expireSessions(deps, mode, stopped),
    },
    { name: 'refunds', mode, everyMs: REFUNDS_EVERY_MS, run: () => sendDueRefunds(deps, mode) },
    {
      name: 'refunds by rule',
      mode,
      everyMs: REFUNDS_EVERY_MS,
      run: (stopped) => refundByRules(deps, mode, stopped),
    },
    {
      name: 'credits to confirm',
      mode,
      everyMs: RETRY_CREDITS_EVERY_MS,
      atOnce: LISTS_AT_ONCE,
      run: () => retryOpenCredits(deps, mode),
    },
    {
      name: 'settlements to banks',
      mode,
      everyMs: SETTLE_EVERY_MS,
      run: (stopped) => settleDue(deps, mode, stopped),
    },
    {
      name: 'settlements under way',
      mode,
      everyMs: SETTLE_EVERY_MS,
      run: (stopped) => followSettlements(deps, mode, stopped),
    },
    {
      name: 'reserves to release',
      mode,
      everyMs: RELEASE_EVERY_MS,
      run: (stopped) => releaseDueReserves(deps, mode, stopped),
    },
  ];
}

/** What is kept behind the books, from their events. */
function jobsBehindTheBooks(deps: Container, mode: Mode): ScheduledJob[] {
  return [
    { name: 'totals by day', mode, everyMs: ADD_UP_EVERY_MS, run: (stopped) => addUpDays(deps, mode, stopped) },
    {
      name: 'totals by day of busy books',
      mode,
      everyMs: ADD_UP_BUSY_EVERY_MS,
      run: busyDaysAdder(deps, mode, BUSY_EVENTS),
    },
    { name: 'index for searching', mode, everyMs: INDEX_EVERY_MS, run: indexFiller(deps, mode) },
    { name: 'directory of payouts', mode, everyMs: DIRECTORY_EVERY_MS, run: payoutDirectoryKeeper(deps, mode) },
  ];
}

/** What providers are asked for, and what disputes at them take. */
function providerJobs(deps: Container, mode: Mode): ScheduledJob[] {
  return [
    {
      name: 'lists of credits',
      mode,
      everyMs: POLL_EVERY_MS,
      atOnce: LISTS_AT_ONCE,
      run: (stopped) => pollCredits(deps, mode, stopped),
    },
    { name: 'disputes', mode, everyMs: ASK_DISPUTES_EVERY_MS, run: () => askAboutDisputes(deps, mode) },
    { name: 'ends of disputes', mode, everyMs: ASK_ENDS_EVERY_MS, run: () => askAboutEnds(deps, mode) },
    { name: 'answers to disputes', mode, everyMs: ANSWER_DISPUTES_EVERY_MS, run: () => sendDueAnswers(deps, mode) },
    {
      name: 'what disputes may take by now',
      mode,
      everyMs: REPAY_EVERY_MS,
      run: (stopped) => takeFreed(deps, mode, stopped),
    },
    { name: 'what merchants owe', mode, everyMs: REPAY_EVERY_MS, run: (stopped) => repayDebts(deps, mode, stopped) },
    {
      name: 'reminders of disputes',
      mode,
      everyMs: REMIND_EVERY_MS,
      run: (stopped) => remindOfDisputes(deps, mode, stopped),
    },
    {
      name: 'lists of disputes',
      mode,
      everyMs: POLL_DISPUTES_EVERY_MS,
      atOnce: LISTS_AT_ONCE,
      run: (stopped) => pollDisputes(deps, mode, stopped),
    },
    {
      name: 'lists of settlements',
      mode,
      everyMs: POLL_SETTLEMENTS_EVERY_MS,
      atOnce: LISTS_AT_ONCE,
      run: (stopped) => pollSettlements(deps, mode, stopped),
    },
    {
      name: 'settlements to fetch',
      mode,
      everyMs: FETCH_SETTLEMENTS_EVERY_MS,
      atOnce: LISTS_AT_ONCE,
      run: (stopped) => recordFetchedSettlements(deps, mode, stopped),
    },
    {
      name: 'settlements to go on with',
      mode,
      everyMs: RESUME_SETTLEMENTS_EVERY_MS,
      run: () => resumeSettlements(deps, mode),
    },
  ];
}
