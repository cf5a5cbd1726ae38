import {
  type AlarmDeps,
  type ApprovalRequest,
  type ApprovalRow,
  type ApprovalSubject,
  approvalMovedOn,
  type ClearanceDeps,
  type Cleared,
  contentOf,
  FOR_EVER_MS,
  type Held,
  type Maker,
  requestApproval,
  requireCleared,
  requireUnaltered,
  shownLine,
  untilSettled,
  voidApproval,
  withClearance,
} from '../approvals/index.ts';
import { requireAccountOwner } from '../bank-directory/index.ts';
import type { Banks } from '../banks/index.ts';
import {
  type CommitResult,
  type EventDraft,
  type IdempotencyKey,
  joinParts,
  type Ledger,
  type MovementParts,
  type Reservation,
} from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';
import { beneficiaryExists, beneficiaryNotFound, beneficiaryRemoved, railNotConfigured } from './errors.ts';
import {
  type BeneficiaryRow,
  type BeneficiaryStatus,
  beneficiaryStates,
  findBeneficiary,
  findBeneficiaryOfAccount,
  insertBeneficiaries,
} from './queries.ts';
import { beneficiaryView } from './views.ts';

const ACCOUNT_SCOPE = 'BENEFICIARY_ACCOUNT';
const FOR_EVER = FOR_EVER_MS;

const accountOf = ({ bank_code, account_number }: BeneficiaryRow) => `${bank_code}:${account_number}`;

function eventOf(type: string, row: BeneficiaryRow): EventDraft {
  return { id: newId(), type, subjectId: row.id, data: JSON.stringify(beneficiaryView(row)) };
}

type NewBeneficiary = Omit<BeneficiaryRow, 'status' | 'approval_id' | 'rules_version'>;

/** What is the service's to change while it waits. */
const FREE: ReadonlySet<string> = new Set(['status', 'reason', 'updated_at', 'approval_id', 'rules_version']);

/** What people are asked about a beneficiary, from its record: the same again, as long as nobody alters it. */
function askForBeneficiary(row: NewBeneficiary, at: Date): ApprovalRequest {
  return {
    subjectId: row.id,
    title: `Add ${row.account_name} as a beneficiary`,
    amountMinor: null,
    chargesMinor: null,
    shown: [
      shownLine('accountName', row.account_name),
      shownLine('bankName', row.bank_name),
      shownLine('accountNumber', row.account_number),
      ...(row.nickname === null ? [] : [shownLine('nickname', row.nickname)]),
    ],
    payload: { content: contentOf(row, FREE) },
    at,
  };
}

/** One step of a beneficiary; one that is removed makes room for the same account. */
function beneficiaryStep(
  row: BeneficiaryRow,
  to: 'ACTIVE' | 'REMOVED',
  { reason, at, refusal }: { reason: string | null; at: Date; refusal: (actual: string | undefined) => AppError },
): MovementParts {
  const after: BeneficiaryRow = { ...row, status: to, reason, updated_at: at };
  const from: BeneficiaryStatus[] = [row.status];
  return {
    releases: to === 'REMOVED' ? [{ scope: ACCOUNT_SCOPE, value: accountOf(row), subjectId: row.id }] : [],
    transitions: [{ machine: beneficiaryStates, id: row.id, from, to, reason, refusal }],
    events: [eventOf(to === 'ACTIVE' ? 'beneficiary.added' : 'beneficiary.removed', after)],
  };
}

export interface BeneficiaryDeps extends ClearanceDeps {
  ledger: Ledger;
  clock: Clock;
  banks: Banks;
  /** The tenant's rails, first choice first; none where none is connected. */
  rails: { listRails(tenant: Tenant): Promise<readonly RailCaller[]> };
}

interface AddBeneficiaryInput {
  tenant: Tenant;
  maker: Maker;
  bankCode: string;
  accountNumber: string;
  nickname: string | null;
  idempotency: IdempotencyKey | undefined;
}

type Account = Pick<BeneficiaryRow, 'bank_code' | 'bank_name' | 'account_number' | 'account_name'>;

/**
 * Keeps an account with the name that its bank gives. Where approvals are on, it waits for one.
 * @throws AppError 409 `BENEFICIARY_EXISTS`; 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`; 503 `NAME_ENQUIRY_UNAVAILABLE`,
 *   `RAIL_NOT_CONFIGURED`.
 */
export async function addBeneficiary(deps: BeneficiaryDeps, input: AddBeneficiaryInput): Promise<CommitResult> {
  const { tenant, maker, idempotency } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  const account = await askBank(deps, input);
  const question = { tenant, kind: 'BENEFICIARY' as const, amountMinor: null, maker };
  return withClearance(deps, question, async (clearance) => {
    const at = deps.clock.now();
    const added = newBeneficiary(tenant, account, input.nickname, at);
    const { row, parts } = clearance.kind === 'CLEARED' ? kept(added, clearance) : held(added, clearance, at);
    const type = row.status === 'ACTIVE' ? 'beneficiary.added' : 'beneficiary.pending_approval';
    return deps.ledger.commit({
      tenant,
      id: row.id,
      occurredAt: at.toISOString(),
      idempotency,
      reservations: [accountReservation(row), ...(parts.reservations ?? [])],
      writes: [write(insertBeneficiaries, row), ...(parts.writes ?? [])],
      events: [eventOf(type, row), ...(parts.events ?? [])],
      answer: { message: row.status === 'ACTIVE' ? 'Beneficiary added' : 'Beneficiary waits for approval' },
    });
  });
}

async function askBank(deps: BeneficiaryDeps, input: AddBeneficiaryInput): Promise<Account> {
  const { tenant, accountNumber } = input;
  const [rail] = await deps.rails.listRails(tenant);
  if (rail === undefined) throw railNotConfigured();
  const question = { tenant, bankCode: input.bankCode, accountNumber, scenario: null };
  const { bank, accountName } = await requireAccountOwner({ banks: deps.banks, rail }, question);
  const key = [tenant.merchantId, tenant.mode, bank.code, accountNumber];
  // Refused early, before anything is built; the reservation refuses a request that adds it at the same moment.
  const [there] = await deps.database.query(findBeneficiaryOfAccount, key);
  if (there !== undefined) throw beneficiaryExists();
  return { bank_code: bank.code, bank_name: bank.name, account_number: accountNumber, account_name: accountName };
}

function newBeneficiary(
  { merchantId, mode }: Tenant,
  account: Account,
  nickname: string | null,
  at: Date,
): NewBeneficiary {
  const row = { merchant_id: merchantId, mode, id: newId(), nickname, ...account };
  return { ...row, reason: null, created_at: at, updated_at: at };
}

function kept(added: NewBeneficiary, cleared: Cleared): { row: BeneficiaryRow; parts: MovementParts } {
  const { reservations, rulesVersion } = requireCleared(cleared);
  const row: BeneficiaryRow = { ...added, status: 'ACTIVE', approval_id: null, rules_version: rulesVersion ?? 0 };
  return { row, parts: { reservations } };
}

function held(added: NewBeneficiary, clearance: Held, at: Date): { row: BeneficiaryRow; parts: MovementParts } {
  const { approval, parts } = requestApproval(clearance, askForBeneficiary(added, at));
  const { id: approval_id, rules_version } = approval;
  return { row: { ...added, status: 'PENDING_APPROVAL', approval_id, rules_version }, parts };
}

/** One account is one beneficiary, until it is removed. */
function accountReservation(row: BeneficiaryRow): Reservation {
  return { scope: ACCOUNT_SCOPE, value: accountOf(row), withinMs: FOR_EVER, refusal: beneficiaryExists };
}

/** A beneficiary that waits for approval. Its record is compared with what people saw, whether they approve or not. */
export function beneficiarySubject(deps: AlarmDeps & { database: Database }): ApprovalSubject {
  const { database } = deps;
  const requireWaiting = async (approval: ApprovalRow): Promise<BeneficiaryRow> => {
    const [row] = await database.query(findBeneficiary, [approval.merchant_id, approval.mode, approval.subject_id]);
    if (row === undefined) throw new Error(`approval ${approval.id} is of no beneficiary`);
    if (row.status !== 'PENDING_APPROVAL') throw approvalMovedOn();
    const asked = askForBeneficiary(row, row.created_at);
    requireUnaltered(deps, approval, { record: row, asked });
    return row;
  };
  return {
    async approved(approval, _cleared, at) {
      const row = await requireWaiting(approval);
      return beneficiaryStep(row, 'ACTIVE', { reason: null, at, refusal: approvalMovedOn });
    },
    async ended(approval, how, at) {
      const row = await requireWaiting(approval);
      return beneficiaryStep(row, 'REMOVED', { reason: `APPROVAL_${how}`, at, refusal: approvalMovedOn });
    },
  };
}

interface RemoveBeneficiaryInput {
  tenant: Tenant;
  beneficiaryId: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Takes a beneficiary out of the list at once. An approval that it waits for ends too. Payouts to the account stay as
 * they are.
 * @throws AppError 404 `BENEFICIARY_NOT_FOUND`; 409 `BENEFICIARY_ALREADY_REMOVED`.
 */
export async function removeBeneficiary(
  deps: Pick<BeneficiaryDeps, 'database' | 'ledger' | 'clock'>,
  { tenant, beneficiaryId, idempotency }: RemoveBeneficiaryInput,
): Promise<CommitResult> {
  return untilSettled(async () => {
    const { merchantId, mode } = tenant;
    const [row] = await deps.database.query(findBeneficiary, [merchantId, mode, beneficiaryId]);
    if (row === undefined) throw beneficiaryNotFound();
    if (row.status === 'REMOVED') throw beneficiaryRemoved();
    const at = deps.clock.now();
    const waits = row.status === 'PENDING_APPROVAL' ? row.approval_id : null;
    const voided = await voidApproval(deps.database, tenant, waits, 'BENEFICIARY_REMOVED', at);
    const removed = beneficiaryStep(row, 'REMOVED', { reason: null, at, refusal: approvalMovedOn });
    return deps.ledger.commit({
      tenant,
      id: row.id,
      occurredAt: at.toISOString(),
      idempotency,
      ...joinParts(removed, voided),
      answer: { message: 'Beneficiary removed' },
    });
  });
}
