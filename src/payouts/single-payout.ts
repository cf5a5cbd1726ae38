import {
  type ApprovalRequest,
  type ApprovalRow,
  type Clearance,
  type Cleared,
  contentOf,
  type Held,
  type Maker,
  requestApproval,
  type ShownLine,
  shownLine,
  withClearance,
} from '../approvals/index.ts';
import { explainCharges, type PayoutPurpose, type Quote, quotePayout } from '../fees/index.ts';
import {
  type CommitResult,
  type EventAnswer,
  type IdempotencyKey,
  joinParts,
  type MovementParts,
  type UniqueKey,
} from '../ledger/index.ts';
import { checkPayoutLimit, dayLimitUsage } from '../limits/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { lagosTimeText } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import type { TenantAccounts, Wallet } from '../wallets/index.ts';
import { dedupeNow, readWindows } from './dedupe-keys.ts';
import { PAYOUTS, type PayoutDeps } from './deps.ts';
import { payoutNotPossible, referenceTaken } from './errors.ts';
import { makeHolds } from './holds.ts';
import { newPayoutParts } from './new-payout-parts.ts';
import { newPayout, queuedPayout, requireBeneficiary } from './payout-record.ts';
import type { PayoutRecord } from './queries.ts';
import { requireRail } from './rails.ts';
import { quotedSingleView } from './views.ts';

export interface SingleInput {
  tenant: Tenant;
  amountMinor: bigint;
  bankCode: string;
  accountNumber: string;
  narration: string;
  phoneNumber: string | undefined;
  /** The merchant's own, unique for ever. */
  reference: string | undefined;
  purpose: PayoutPurpose | undefined;
  /** JSON text. */
  metadata: string | null;
  scenario: string | null;
  maker: Maker;
  /** Whether to pay although the same was just paid. */
  allowDuplicate: boolean;
  idempotency: IdempotencyKey | undefined;
}

export interface PreparedSingle {
  payout: PayoutRecord;
  accounts: TenantAccounts;
  quote: Quote;
}

/** The answer that is kept under this key, so that a repeated request gets it without asking the bank. */
export async function earlierAnswer(deps: PayoutDeps, input: SingleInput): Promise<CommitResult | undefined> {
  return input.idempotency && deps.ledger.findAnswer(input.tenant, input.idempotency);
}

/**
 * Checks the limit, asks the bank for the owner and prices the payout by the rules in force at `quoteAt`. Writes
 * nothing.
 * @param wallet that it leaves; the main wallet unless given
 * @throws AppError 422 `PAYOUT_NOT_POSSIBLE`, and as `checkPayoutLimit`, `requireRail`, `requireBeneficiary` and the
 *   quote.
 */
export async function prepareSingle(
  deps: PayoutDeps,
  input: Omit<SingleInput, 'maker' | 'idempotency'>,
  quoteAt: Date,
  wallet?: Wallet,
): Promise<PreparedSingle> {
  const { tenant, amountMinor } = input;
  await checkPayoutLimit(deps, tenant, amountMinor);
  const rail = await requireRail(deps.rails, tenant);
  const purpose = input.purpose ?? 'GENERAL';
  const [beneficiary, quote, own] = await Promise.all([
    requireBeneficiary({ banks: deps.banks, rail }, input),
    deps.fees.quotePayout({ amountMinor, currency: DEFAULT_CURRENCY, purpose, at: quoteAt }),
    deps.wallets.requireTenantAccounts(tenant),
  ]);
  const accounts = wallet === undefined ? own : { ...own, wallet };
  const payout = newPayout({
    tenant,
    id: newId(),
    accounts,
    quote,
    beneficiary,
    narration: input.narration,
    phoneNumber: input.phoneNumber ?? null,
    purpose,
    batchId: null,
    clientReference: input.reference ?? null,
    metadata: input.metadata,
    rail: rail.name,
    scenario: input.scenario,
    allowDuplicate: input.allowDuplicate,
    fromChild: accounts.wallet.id !== own.wallet.id,
    at: deps.clock.now(),
  });
  if (await deps.payoutGuard.isFrozen(payout)) throw payoutNotPossible();
  return { payout, accounts, quote };
}

export const REFERENCE_SCOPE = 'TRANSACTION_REFERENCE';

export function referenceKeys(input: SingleInput): UniqueKey[] {
  if (input.reference === undefined) return [];
  return [{ scope: REFERENCE_SCOPE, value: input.reference, refusal: referenceTaken }];
}

/**
 * How a new payout continues where nothing is left to approve, its keys, and the answer to its client in either case.
 */
interface NewPayoutTerms {
  release(payout: PayoutRecord, cleared: Cleared): PayoutRecord;
  /** Its dedupe keys; where people have to approve it first, it waits until then at the latest. */
  keys(payout: PayoutRecord, waitsUntil?: Date): MovementParts;
  /** The rows and events of one that was released. */
  made(payout: PayoutRecord): MovementParts;
  released: string;
  waits: string;
}

/** The rows and events of a new payout, queued or waiting with its approval. For the movement that makes it. */
export function acceptSingle(
  accepted: PayoutRecord,
  clearance: Clearance,
  { release, keys, made, released, waits }: NewPayoutTerms,
): Required<MovementParts> & { answer: EventAnswer; payout: PayoutRecord } {
  if (clearance.kind === 'CLEARED') {
    const payout = release(accepted, clearance);
    return {
      payout,
      ...joinParts({ reservations: clearance.reservations }, made(payout), keys(payout)),
      answer: { message: released },
    };
  }
  const { payout, approval, parts } = requestSingleApproval(clearance, accepted);
  return {
    payout,
    ...joinParts(newPayoutParts(payout, 'payout.pending_approval'), parts, keys(payout, approval.expires_at)),
    answer: { message: waits },
  };
}

/** Requests the approval of a single payout, now or for later. The approval of a schedule waits until its time. */
function requestSingleApproval(
  held: Held,
  payout: PayoutRecord,
): { payout: PayoutRecord; approval: ApprovalRow; parts: MovementParts } {
  const { approval, parts } = requestApproval(held, askForSingle(payout));
  const waiting = { ...payout, approval_id: approval.id, rules_version: approval.rules_version };
  return { payout: waiting, approval, parts };
}

/**
 * The columns that the service may change while a payout waits. All others are what people approve, column by column.
 */
const FREE: ReadonlySet<string> = new Set([
  'status',
  'reason',
  'due_at',
  'updated_at',
  'paid_at',
  'operator_reason',
  'operator_since',
  'approval_id',
  'rules_version',
]);

/**
 * What people are asked to approve, made of the payout's record alone: it is the same again as long as nobody alters
 * the record.
 */
export function askForSingle(payout: PayoutRecord): ApprovalRequest {
  const { scheduled_for: scheduledFor } = payout;
  return {
    subjectId: payout.id,
    title: `${formatMoney(payout.amount_minor, payout.currency)} to ${payout.beneficiary_account_name}`,
    amountMinor: payout.amount_minor,
    chargesMinor: payout.charges_minor,
    shown: shownOf(payout),
    payload: { content: contentOf(payout, FREE) },
    ...(scheduledFor === null ? {} : { expiresAt: scheduledFor }),
    at: payout.created_at,
  };
}

function shownOf(payout: PayoutRecord): ShownLine[] {
  const money = (minor: bigint) => formatMoney(minor, payout.currency);
  const named = { subjectType: 'PAYOUT', subjectId: payout.id } as const;
  return [
    shownLine('accountName', payout.beneficiary_account_name),
    shownLine('bankName', payout.beneficiary_bank_name),
    shownLine('accountNumber', payout.beneficiary_account_number),
    shownLine('amount', money(payout.amount_minor)),
    shownLine('fee', money(payout.fee_minor)),
    shownLine('vat', money(payout.vat_minor)),
    shownLine('stampDuty', money(payout.stamp_duty_minor)),
    shownLine('total', money(payout.amount_minor + payout.charges_minor)),
    shownLine('narration', payout.narration),
    shownLine('purpose', payout.purpose),
    ...(payout.client_reference === null ? [] : [shownLine('reference', payout.client_reference, named)]),
    ...(payout.phone_number === null ? [] : [shownLine('phoneNumber', payout.phone_number)]),
    ...(payout.scheduled_for === null ? [] : ofSchedule(payout.scheduled_for)),
  ];
}

/** It is priced again when it is paid, and an approver is shown that. */
const ofSchedule = (scheduledFor: Date): ShownLine[] => [
  shownLine('scheduledFor', lagosTimeText(scheduledFor)),
  shownLine('charges', 'by the fees of that day; above as they are known today'),
];

/** What a payout of this amount would cost now, charge by charge. It moves nothing and promises nothing. */
export async function quoteSingle(deps: PayoutDeps, amountMinor: bigint, purpose: PayoutPurpose | undefined) {
  const rules = await deps.fees.listRules();
  const input = { amountMinor, currency: DEFAULT_CURRENCY, purpose, at: deps.clock.now() };
  return success('Success', quotedSingleView(quotePayout(rules, input), explainCharges(rules, input)));
}

/** What else is committed with a payout that is accepted, such as what it is for. */
export type AttachedParts = MovementParts & { answer?: EventAnswer };

const PAID_NOW = {
  release: queuedPayout,
  released: 'Payout has been accepted',
  waits: 'Payout waits for approval',
};

/**
 * Accepts one payout: counts it against the day's limit, takes its dedupe key, holds amount and charges and leaves it
 * to the worker, or to the people who have to approve it first, in one movement. The worker of this process has it as soon
 * as it is made, where it has capacity for it. The caller has checked the PIN.
 * @throws AppError 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `PAYOUT_LIMIT_EXCEEDED`,
 *   `DAILY_LIMIT_EXCEEDED`, `IDEMPOTENCY_KEY_REUSED`; 409 `REFERENCE_TAKEN`, `PAYOUT_DUPLICATE`; 503
 *   `NAME_ENQUIRY_UNAVAILABLE`, `RAIL_NOT_CONFIGURED`.
 */
export async function paySingle(
  deps: PayoutDeps,
  input: SingleInput,
  attach: (payout: PayoutRecord) => AttachedParts = () => ({}),
): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  const { tenant, amountMinor, maker } = input;
  const { payout: accepted, accounts, quote } = await prepareSingle(deps, input, deps.clock.now());
  const at = accepted.created_at;
  const [{ countedOn, limitUsages }, windows] = await Promise.all([
    dayLimitUsage(deps, tenant, amountMinor, at),
    readWindows(deps, tenant),
  ]);
  const { holds, transfers } = makeHolds(accounts, accepted.id, quote);
  const counted = { ...accepted, ...holds, counted_on: countedOn };
  return withClearance(deps, { tenant, kind: 'PAYOUT', amountMinor, maker }, async (clearance) => {
    const commit = (made: (payout: PayoutRecord) => MovementParts) => {
      const { answer, payout, ...parts } = acceptSingle(counted, clearance, {
        ...PAID_NOW,
        made,
        keys: (taken, waitsUntil) => dedupeNow(taken, at, windows, waitsUntil),
      });
      const attached = attach(payout);
      return deps.ledger.commit({
        tenant,
        id: payout.id,
        occurredAt: payout.created_at.toISOString(),
        idempotency: input.idempotency,
        // The attached events come first, so that the answer may be one of them.
        ...joinParts(attached, { uniqueKeys: referenceKeys(input), limitUsages, transfers }, parts),
        answer: attached.answer ?? answer,
      });
    };
    return clearance.kind === 'CLEARED'
      ? commitCleared(deps, queuedPayout(counted, clearance), commit)
      : commit(queued);
  });
}

const queued = (payout: PayoutRecord) => newPayoutParts(payout, 'payout.queued');

/** Commits a payout that nobody has to approve, leased where the worker of this process has capacity for it. */
async function commitCleared(
  deps: PayoutDeps,
  payout: PayoutRecord,
  commit: (made: (payout: PayoutRecord) => MovementParts) => Promise<CommitResult>,
): Promise<CommitResult> {
  const reserved = await deps.newLeases?.reserveOne(tenantOf(payout));
  try {
    const lease = (await reserved?.lease([payout]))?.get(payout.id);
    const result = await commit(lease === undefined ? queued : () => lease.parts);
    // A replayed answer is that of another payout, and this one was not made.
    if (lease === undefined || result.replayed) deps.wake(PAYOUTS);
    else reserved?.begin([lease]);
    return result;
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'unavailable') reserved?.refused();
    throw error;
  } finally {
    reserved?.release();
  }
}
