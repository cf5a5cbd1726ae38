import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { columnArrays, rowsFor, type Write, write } from '../../platform/db/statement.ts';
import { createGroupReader } from '../../platform/group-reader.ts';
import type { JobMonitor } from '../../platform/jobs/job-monitor.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { providerWebhookSignatureInvalid } from '../errors.ts';
import { readNipCode } from '../nip-codes.ts';
import type {
  NameEnquiryAnswer,
  NameEnquiryRequest,
  QueryRequest,
  Rail,
  RailAnswer,
  RailOutcome,
  SendRequest,
} from '../port.ts';
import { NOTHING_REPORTED, type ReportedFacts } from '../reported.ts';
import { INSTITUTION_CODE, type SandboxPayment, sandboxCredits } from './credits.ts';
import {
  deliverAllDueWebhooks,
  deliverDueWebhooks,
  deliverOwnWebhooks,
  type ProviderWebhooks,
} from './deliver-webhooks.ts';
import { updateSandboxDisputesAdvanced } from './dispute-queries.ts';
import {
  type CreditRow,
  findTransfer,
  insertSandboxCredits,
  insertSandboxTransfers,
  listReceived,
  type NewTransfer,
  sumReceived,
  type TransferRow,
  updateSandboxCreditsAdvanced,
  updateTransferQueried,
  updateTransferReceived,
  updateTransfersAdvanced,
} from './queries.ts';
import { updateSandboxRefundsAdvanced } from './refund-queries.ts';
import { createSandboxWallets, type SandboxPage, type SandboxWalletBank } from './sandbox-wallets.ts';
import {
  accountNameOf,
  fnv1a,
  otherNameOf,
  requireSandbox,
  SANDBOX_SCENARIOS,
  type SandboxScenario,
  SLOW_MS,
  scenarioFor,
  storedScenario,
} from './scenarios.ts';
import { codeAt, countsQueries, isDown, NOT_FOUND_CODE, readCode, reportedOf } from './transfer-state.ts';
import { readWebhook, webhookDueAt } from './webhooks.ts';

/**
 * Puts a transfer into the rail's books, and says whether its reference was new. Sends at the same time share one
 * statement, each as if it had come alone: it is committed before any of them is answered.
 */
function createSendGatherer(database: Database): (transfer: NewTransfer) => Promise<boolean> {
  return createGroupReader<NewTransfer, boolean>(async (transfers) => {
    const values = columnArrays(...rowsFor(insertSandboxTransfers, transfers));
    const inserted = await database.query<Pick<NewTransfer, 'merchant_id' | 'rail_reference'>>(
      insertSandboxTransfers,
      values,
    );
    const isNew = new Set(inserted.map(keyOf));
    // Deleting distinguishes two sends of one reference in one statement: the first made the row.
    return transfers.map((transfer) => isNew.delete(keyOf(transfer)));
  });
}

function keyOf({ merchant_id, rail_reference }: Pick<NewTransfer, 'merchant_id' | 'rail_reference'>): string {
  return `${merchant_id}/${rail_reference}`;
}

/** A caller that never aborts waits no longer than this. */
const HANG_MAX_MS = 30_000;
/** What every sandbox merchant has at the rail: 10,000,000,000.00 naira. */
const FLOAT_MINOR = 1_000_000_000_000n;
const FLOAT_CURRENCY = 'NGN';

const DUPLICATE_CODE = '94';
const AMOUNT_INVALID_CODE = '13';
const PAID_SCENARIOS = SANDBOX_SCENARIOS.filter((entry) => (entry.later?.code ?? entry.code) === '00').map(
  (entry) => entry.name,
);

export interface SandboxRailDeps {
  database: Database;
  clock?: Clock;
  /** Added to every call, for benches. */
  delayMs?: number;
  /** Without it no provider webhook is made, and none is believed. */
  providerWebhooks?: ProviderWebhooks;
  /** Without it wallets have no account numbers at this bank. */
  walletBank?: SandboxWalletBank;
  /** Without it that bank has no page on which one may pay. */
  pageOf?: SandboxPage;
}

/** One line of the rail's own books, for reconciliation. */
export interface SandboxTransfer {
  /** As it was sent, like the amount; by this the lines are in order. */
  railReference: string;
  amountMinor: bigint;
  currency: string;
  /** What the rail says of it. */
  reported: ReportedFacts;
  sessionId: string;
  outcome: RailOutcome;
  code: string;
  receivedAt: Date;
}

export interface SandboxRail extends Rail {
  /**
   * Delivers the provider webhooks of this merchant that are due, oldest first, at least once each, and returns how
   * many. A scheduler has to call it: the rail has no timers.
   */
  deliverDueWebhooks(tenant: Tenant): Promise<number>;
  /** The same for every merchant that has any. What is not taken is left alone for a while that grows. */
  deliverAllDueWebhooks(jobs: JobMonitor): Promise<number>;
  /** What reached the rail, by reference, after `after`; at most `limit`. Does not count as a query. */
  listTransfers(tenant: Tenant, page: { after: string; limit: number }): Promise<SandboxTransfer[]>;
  /** Somebody pays: makes the credits, and delivers their webhooks that are due. */
  receiveCredit(payment: SandboxPayment): Promise<CreditRow[]>;
}

interface Context {
  database: Database;
  clock: Clock;
  delayMs: number;
  providerWebhooks: SandboxRailDeps['providerWebhooks'];
  insert: (transfer: NewTransfer) => Promise<boolean>;
}

/**
 * The built-in bank. What it does is chosen by the account number or a scenario's name and follows from stored facts
 * and the clock, so the same steps always have the same end. Its books are its own: one row for each reference that
 * was ever sent. It refuses live tenants.
 */
export function createSandboxRail(deps: SandboxRailDeps): SandboxRail {
  const context: Context = {
    database: deps.database,
    clock: deps.clock ?? systemClock,
    delayMs: deps.delayMs ?? 0,
    providerWebhooks: deps.providerWebhooks,
    insert: createSendGatherer(deps.database),
  };
  const { database, clock, providerWebhooks } = context;
  const wait = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (context.delayMs > 0) await pause(context.delayMs, signal);
  };
  const begin = (tenant: Tenant, signal: AbortSignal) => {
    requireSandbox(tenant);
    return wait(signal);
  };
  return {
    name: 'sandbox',
    isolatesTenants: true,
    echoesTenant: true,
    async nameEnquiry(request, signal) {
      await begin(request.tenant, signal);
      return enquire(context, request, signal);
    },
    async send(request, signal) {
      await begin(request.tenant, signal);
      return send(context, request, signal);
    },
    async query(request, signal) {
      await begin(request.tenant, signal);
      return query(context, request);
    },
    async verifyWebhook(request) {
      if (providerWebhooks === undefined) throw providerWebhookSignatureInvalid();
      return readWebhook(providerWebhooks.secret, request, clock.now());
    },
    async balance(tenant, signal) {
      await begin(tenant, signal);
      const [sum] = await context.database.query(sumReceived, [...key(tenant), FLOAT_CURRENCY, PAID_SCENARIOS]);
      return { currency: FLOAT_CURRENCY, availableMinor: FLOAT_MINOR - (sum?.total_minor ?? 0n) };
    },
    deliverDueWebhooks: (tenant) => deliverDueWebhooks(context, tenant),
    deliverAllDueWebhooks: (jobs) => deliverAllDueWebhooks(context, jobs),
    listTransfers: (tenant, page) => listTransfers(context, tenant, page),
    async receiveCredit(payment) {
      const { rows } = sandboxCredits(payment, clock.now());
      await database.run(...rowsFor(insertSandboxCredits, rows));
      await deliverOwnWebhooks(context, payment.tenant, { credits: rows });
      return rows;
    },
    ...(deps.walletBank && {
      wallets: createSandboxWallets({
        database,
        clock,
        bank: deps.walletBank,
        pageOf: deps.pageOf,
        secret: providerWebhooks?.secret,
        begin: wait,
        isSlow: context.delayMs > 0,
      }),
    }),
  };
}

async function enquire(context: Context, request: NameEnquiryRequest, signal: AbortSignal): Promise<NameEnquiryAnswer> {
  const { enquiry } = scenarioFor(request.accountNumber, request.scenario);
  const answer = (code: string, accountName: string | null): NameEnquiryAnswer => {
    const reported = { ...NOTHING_REPORTED, accountNumber: request.accountNumber };
    return { ...readNipCode('nameEnquiry', code), code, accountName, at: context.clock.now(), reported };
  };
  switch (enquiry) {
    case 'slow':
      await pause(SLOW_MS, signal);
      return answer('00', accountNameOf(request.accountNumber));
    case 'not_found':
      return answer('07', null);
    case 'other_name':
      return answer('00', otherNameOf(request.accountNumber));
    case 'unavailable':
      return answer('91', null);
    case 'found':
      return answer('00', accountNameOf(request.accountNumber));
  }
}

/** One insert decides: the row is there before the caller is answered, whatever becomes of the answer. */
async function send(context: Context, request: SendRequest, signal: AbortSignal): Promise<RailAnswer> {
  const now = context.clock.now();
  if (request.amountMinor <= 0n) return answerOf('send', AMOUNT_INVALID_CODE, null, now);
  const scenario = scenarioFor(request.accountNumber, request.scenario);
  const sessionId = sessionIdOf(request.railReference, now);
  const receivedAt = scenario.lost === true ? null : now;
  const webhookAt =
    receivedAt === null || context.providerWebhooks === undefined ? null : webhookDueAt(scenario, 0, receivedAt);
  const transfer = {
    merchant_id: request.tenant.merchantId,
    mode: request.tenant.mode,
    rail_reference: request.railReference,
    amount_minor: request.amountMinor,
    currency: request.currency,
    bank_code: request.bankCode,
    account_number: request.accountNumber,
    account_name: request.accountName,
    narration: request.narration,
    scenario: scenario.name,
    session_id: sessionId,
    first_sent_at: now.toISOString(),
    received_at: receivedAt?.toISOString() ?? null,
    next_webhook_at: webhookAt?.toISOString() ?? null,
  };
  const isNew = await context.insert(transfer);
  if (!isNew) return sendAgain(context, request, now);
  if (scenario.webhooksBeforeAnswer === true) {
    const sent = { ...transfer, first_sent_at: now, received_at: receivedAt, next_webhook_at: webhookAt };
    await deliverOwnWebhooks(context, request.tenant, { transfers: [{ ...sent, queries: 0, webhooks_delivered: 0 }] });
  }
  await untilAnswered(scenario, signal);
  return answerOf('send', scenario.code, sessionId, now, reportedOf(scenario, transfer));
}

/** The same reference: nothing executes twice. Another transfer under it is a mix-up, and says nothing of the first. */
async function sendAgain(context: Context, request: SendRequest, now: Date): Promise<RailAnswer> {
  const keys = [...key(request.tenant), request.railReference];
  const [known] = await context.database.query(findTransfer, keys);
  if (known === undefined) throw new Error('the sandbox rail lost a transfer that it knew');
  if (!isSame(known, request)) return answerOf('send', DUPLICATE_CODE, null, now);
  const scenario = storedScenario(known.scenario);
  if (isDown(scenario, known, now)) throw new Error('connect ECONNREFUSED sandbox rail');
  let row = known;
  if (row.received_at === null) {
    const [received] = await context.database.query(updateTransferReceived, [...keys, now]);
    row = received ?? { ...row, received_at: now };
  }
  const code = codeAt(scenario, row, 'send', now);
  const answer = answerOf('send', code, row.session_id, now, reportedOf(scenario, row));
  return known.received_at === null ? answer : { ...answer, message: `Sent before: ${answer.message}` };
}

async function query(context: Context, request: QueryRequest): Promise<RailAnswer> {
  const now = context.clock.now();
  const keys = [...key(request.tenant), request.railReference];
  let [row] = await context.database.query(findTransfer, keys);
  if (row === undefined) return answerOf('query', NOT_FOUND_CODE, null, now);
  const scenario = storedScenario(row.scenario);
  if (countsQueries(scenario)) row = (await context.database.query(updateTransferQueried, keys))[0] ?? row;
  if (isDown(scenario, row, now)) throw new Error('connect ECONNREFUSED sandbox rail');
  const code = codeAt(scenario, row, 'query', now);
  if (code === NOT_FOUND_CODE) return answerOf('query', code, null, now);
  return answerOf('query', code, row.session_id, now, reportedOf(scenario, row));
}

async function listTransfers(
  context: Context,
  tenant: Tenant,
  page: { after: string; limit: number },
): Promise<SandboxTransfer[]> {
  const now = context.clock.now();
  const rows = await context.database.query(listReceived, [...key(tenant), page.after, page.limit]);
  return rows.map((row) => {
    const scenario = storedScenario(row.scenario);
    const code = codeAt(scenario, row, 'send', now);
    return {
      railReference: row.rail_reference,
      amountMinor: row.amount_minor,
      currency: row.currency,
      reported: reportedOf(scenario, row),
      sessionId: row.session_id,
      outcome: readCode('send', code).outcome,
      code,
      receivedAt: row.received_at ?? row.first_sent_at,
    };
  });
}

async function untilAnswered(scenario: SandboxScenario, signal: AbortSignal): Promise<void> {
  switch (scenario.sending) {
    case 'answer':
      return;
    case 'slow':
      return pause(SLOW_MS, signal);
    case 'hang':
      await pause(HANG_MAX_MS, signal);
      throw new Error('socket hang up');
    case 'drop':
      throw new Error('read ECONNRESET');
    case 'down':
      throw new Error('connect ECONNREFUSED sandbox rail');
  }
}

function answerOf(
  stage: 'send' | 'query',
  code: string,
  sessionId: string | null,
  at: Date,
  reported: ReportedFacts = NOTHING_REPORTED,
): RailAnswer {
  return { ...readCode(stage, code), code, sessionId, at, reported };
}

function isSame(row: TransferRow, request: SendRequest): boolean {
  return (
    row.amount_minor === request.amountMinor &&
    row.currency === request.currency &&
    row.bank_code === request.bankCode &&
    row.account_number === request.accountNumber
  );
}

/** 30 digits as on NIP: institution, yyMMddHHmmss, and twelve that follow from the reference. */
function sessionIdOf(railReference: string, at: Date): string {
  const time = at.toISOString().replace(/\D/g, '').slice(2, 14);
  const high = String(fnv1a(railReference) % 1_000_000).padStart(6, '0');
  const low = String(fnv1a(`${railReference}/`) % 1_000_000).padStart(6, '0');
  return `${INSTITUTION_CODE}${time}${high}${low}`;
}

function key(tenant: Tenant): [string, string] {
  return [tenant.merchantId, tenant.mode];
}

async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  await delay(timeMs, undefined, { signal });
}

/** Lets time go by at the simulated bank, for the movement that moves a sandbox's clock. */
export function sandboxRailAdvanceWrites(tenant: Tenant, seconds: number, now: Date): Write[] {
  const row = { merchant_id: tenant.merchantId, mode: tenant.mode, seconds, now };
  return [
    write(updateTransfersAdvanced, row),
    write(updateSandboxCreditsAdvanced, row),
    write(updateSandboxDisputesAdvanced, row),
    write(updateSandboxRefundsAdvanced, row),
  ];
}
