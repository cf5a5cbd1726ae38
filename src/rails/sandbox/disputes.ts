import { type Clock, HOUR_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Write, write } from '../../platform/db/statement.ts';
import { newId, uuidOfHex } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { DisputeCategory, DisputeProvider, DisputeState, ReportedDispute, RespondAnswer } from '../disputes.ts';
import { providerWebhookSignatureInvalid } from '../errors.ts';
import { saidOf } from '../wallet-answers.ts';
import {
  findSandboxDispute,
  insertSandboxDisputes,
  listSandboxDisputes,
  type SandboxDisputeRow,
  updateSandboxDisputeAnswered,
} from './dispute-queries.ts';
import { nextCursor, PAGE_LINES, startOfPage } from './pages.ts';
import { requireSandbox } from './scenarios.ts';
import { readSandboxDisputeWebhook } from './webhooks.ts';

/** As short as that of a real provider. */
const ANSWER_WITHIN_MS = 16 * HOUR_MS;
/** Until the payer's bank decides about evidence. */
const DECIDES_AFTER_MS = 60_000;
/** Until it says otherwise, where its scenario has it so. */
const CHANGES_ITS_MIND_AFTER_MS = HOUR_MS;
const ID = /^sbd_([0-9a-f]{32})_[0-9a-f]{32}$/;

/** As docs/sandbox-rail.md has them. A published name never changes its meaning. */
export const DISPUTE_SCENARIO_NAMES = [
  'won',
  'lost',
  'lost_then_won',
  'undecided',
  'evidence_refused',
  'never_notified',
] as const;

export type DisputeScenarioName = (typeof DISPUTE_SCENARIO_NAMES)[number];

/** A payer's bank wants a payment back. */
export interface SandboxDispute {
  tenant: Tenant;
  /** The credit at the simulated bank. */
  creditId: string;
  amountMinor: bigint;
  category?: DisputeCategory | undefined;
  message?: string | undefined;
  scenario?: DisputeScenarioName | undefined;
  /** Until when it can be answered; default: 16 hours. */
  answerWithinSeconds?: number | undefined;
}

/** What a dispute brings into the simulated bank's books, with the write that puts it there. */
export function sandboxDispute(dispute: SandboxDispute, now: Date): { row: SandboxDisputeRow; write: Write } {
  const { tenant, scenario = 'won', answerWithinSeconds } = dispute;
  requireSandbox(tenant);
  const within = answerWithinSeconds === undefined ? ANSWER_WITHIN_MS : answerWithinSeconds * 1_000;
  const row: SandboxDisputeRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: `sbd_${hexOf(tenant.merchantId)}_${hexOf(newId())}`,
    credit_id: dispute.creditId,
    amount_minor: dispute.amountMinor,
    category: dispute.category ?? 'CHARGEBACK',
    message: dispute.message ?? null,
    scenario,
    opened_at: now,
    due_at: new Date(now.getTime() + within),
    answer: null,
    answered_at: null,
    files: 0,
    next_webhook_at: scenario === 'never_notified' ? null : now,
  };
  return { row, write: write(insertSandboxDisputes, row) };
}

const hexOf = (uuid: string) => uuid.replaceAll('-', '').toLowerCase();

function tenantOf(id: string): Tenant | undefined {
  const hex = ID.exec(id)?.[1];
  return hex === undefined ? undefined : { merchantId: uuidOfHex(hex), mode: 'SANDBOX' };
}

/** What a query is answered with, from what is stored and the clock alone. */
export function stateAt(row: SandboxDisputeRow, now: Date): { state: DisputeState; bySilence: boolean } {
  const said = (state: DisputeState) => ({ state, bySilence: false });
  if (row.answer === 'ACCEPT') return said('accepted');
  if (row.answer === null || row.answered_at === null) {
    return now >= row.due_at ? { state: 'lost', bySilence: true } : said('open');
  }
  const since = now.getTime() - row.answered_at.getTime();
  if (row.scenario === 'undecided' || since < DECIDES_AFTER_MS) return said('evidence_sent');
  if (row.scenario === 'lost_then_won') return said(since < CHANGES_ITS_MIND_AFTER_MS ? 'lost' : 'won');
  return said(row.scenario === 'lost' ? 'lost' : 'won');
}

interface Deps {
  database: Database;
  clock: Clock;
  secret: string | undefined;
  begin(signal: AbortSignal): Promise<void>;
}

/** The disputes of the built-in bank: a row each, and what becomes of it follows from that and the clock. */
export function createSandboxDisputes(deps: Deps): DisputeProvider {
  const { database, clock, begin } = deps;
  const find = async (id: string) => {
    const tenant = tenantOf(id);
    if (tenant === undefined) return undefined;
    const [row] = await database.query(findSandboxDispute, [tenant.merchantId, tenant.mode, id]);
    return row;
  };
  const answer = async (id: string, how: 'ACCEPT' | 'CONTEST', files: number): Promise<RespondAnswer> => {
    const at = clock.now();
    const row = await find(id);
    const isOpen = row !== undefined && stateAt(row, at).state === 'open';
    const isRefused = row?.scenario === 'evidence_refused' && how === 'CONTEST';
    if (row === undefined || !isOpen || isRefused)
      return refused(isRefused ? 'EVIDENCE_REFUSED' : 'DISPUTE_CLOSED', at);
    const key = [row.merchant_id, row.mode, row.id];
    const [taken] = await database.query(updateSandboxDisputeAnswered, [...key, how, at, files]);
    if (taken === undefined) return refused('DISPUTE_CLOSED', at);
    return { outcome: 'taken', ...saidOf({ reason: null, message: 'Taken' }, 'TAKEN', at) };
  };
  return {
    capabilities: { evidenceFiles: 3, needs: [] },
    async queryDispute({ providerDisputeId }, signal) {
      await begin(signal);
      const at = clock.now();
      const row = await find(providerDisputeId);
      if (row === undefined) {
        const absent = { reason: 'RAIL_RECORD_NOT_FOUND', message: 'No such dispute' };
        return { outcome: 'not_found', ...saidOf(absent, 'NOT_FOUND', at) };
      }
      const dispute = reportedOf(row, at);
      return {
        outcome: 'found',
        dispute,
        ...saidOf({ reason: null, message: 'Found' }, dispute.state.toUpperCase(), at),
      };
    },
    async listDisputes({ from, to, cursor }, signal) {
      await begin(signal);
      const after = startOfPage({ from, cursor });
      const rows = await database.query(listSandboxDisputes, [from, to, after.at, after.id, PAGE_LINES]);
      return {
        disputes: rows.map(({ id }) => ({ providerDisputeId: id })),
        unreadable: [],
        next: nextCursor(rows, (row) => row.opened_at),
      };
    },
    async acceptDispute({ tenant, providerDisputeId }, signal) {
      requireSandbox(tenant);
      await begin(signal);
      return answer(providerDisputeId, 'ACCEPT', 0);
    },
    async contestDispute({ tenant, providerDisputeId, evidence }, signal) {
      requireSandbox(tenant);
      await begin(signal);
      return answer(providerDisputeId, 'CONTEST', evidence.files.length);
    },
    async readDisputeWebhook(request) {
      if (deps.secret === undefined) throw providerWebhookSignatureInvalid();
      return readSandboxDisputeWebhook(deps.secret, request, clock.now());
    },
  };
}

function refused(reason: string, at: Date): RespondAnswer {
  return { outcome: 'refused', ...saidOf({ reason, message: 'The bank does not take it' }, reason, at) };
}

function reportedOf(row: SandboxDisputeRow, at: Date): ReportedDispute {
  return {
    providerDisputeId: row.id,
    ...stateAt(row, at),
    providerTransactionId: row.credit_id,
    amountMinor: row.amount_minor,
    currency: 'NGN',
    category: row.category,
    message: row.message,
    dueAt: row.due_at,
    openedAt: row.opened_at,
    mode: 'SANDBOX',
  };
}
