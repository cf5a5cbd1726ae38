import { decisionsOf, findApprovalOf } from '../approvals/index.ts';
import { parseAmountText, toNumber } from '../money/index.ts';
import { listProposals } from '../outcomes/index.ts';
import { payoutEvidence } from '../payout-delivery/index.ts';
import { type FoundPayoutRow, findPayoutTenant, type PayoutSearch, searchPayouts } from '../payout-directory/index.ts';
import { findPayout, type PayoutRecord, payoutDetails } from '../payouts/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { isUuid, uuidOfHex } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { type EvidenceParts, readEvidence, referenceOf, type TransactionStatus } from '../transactions/index.ts';
import type { OperatorDeps } from './deps.ts';
import { peopleOf, readEmails, readNamesOf } from './lookups.ts';
import { pastProposalView } from './outcome-views.ts';
import { listPayoutSettlements } from './queries.ts';

const payoutOfNobody = () =>
  new AppError('not_found', 'PAYOUT_NOT_FOUND', 'No merchant has a payout with this reference.');

/** Eleven digits are a BVN or a NIN, or a phone number; an account number has ten, a session id thirty. */
const ELEVEN_DIGITS = /(?<![0-9A-Za-z+])(\d{3})\d{5}(\d{3})(?![0-9A-Za-z])/g;
const KEYS = /\b[sp]k_(?:test|live)_[\w-]+/g;
const NAMED_SECRETS =
  /\b(authorization|api[-_ ]?key|secret(?:[-_ ]?key)?|password|token|pin)(["']?\s*[:=]\s*["']?)(?:bearer\s+)?[^\s"',;&]+/gi;
const BEARER = /\bbearer\s+[\w.~+/=-]{8,}/gi;

/** A text without secrets and without a whole number of a person's identity, for evidence that is sent to a provider. */
function redactText(text: string): string {
  return text
    .replaceAll(KEYS, '[removed]')
    .replaceAll(NAMED_SECRETS, '$1$2[removed]')
    .replaceAll(BEARER, 'Bearer [removed]')
    .replaceAll(ELEVEN_DIGITS, '$1*****$2');
}

/** Redacts every text in an answer. */
export function redact<T>(value: T): T {
  if (typeof value === 'string') return redactText(value) as T;
  if (Array.isArray(value)) return value.map(redact) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redact(part)])) as T;
}

export interface PayoutSearchQuery {
  merchantId?: string;
  mode?: Mode;
  status?: TransactionStatus | 'UNKNOWN';
  rail?: string;
  reference?: string;
  sessionId?: string;
  accountNumber?: string;
  amount?: string;
  from?: string;
  to?: string;
}

function searchOf({ reference, amount, from, to, ...rest }: PayoutSearchQuery): PayoutSearch {
  return {
    merchantId: rest.merchantId,
    mode: rest.mode,
    status: rest.status,
    rail: rest.rail,
    sessionId: rest.sessionId,
    accountNumber: rest.accountNumber,
    payoutId: reference === undefined ? undefined : payoutIdIn(reference),
    amountMinor: amount === undefined ? undefined : parseAmountText(amount),
    ...parsePeriod({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
  };
}

/** The id in a reference, which has one of the forms of `Reference` in the schema. */
function payoutIdIn(reference: string): string {
  return isUuid(reference) ? reference : uuidOfHex(reference.replace(/^MNL/, ''));
}

type ShownPayout = Pick<FoundPayoutRow, Exclude<keyof FoundPayoutRow, 'payout_id'>> & { id: string };

function foundView(row: ShownPayout, names: ReadonlyMap<string, string>) {
  const isUnderWay = row.status === 'PROCESSING';
  return {
    payoutId: row.id,
    reference: referenceOf(row.id),
    merchantReference: row.client_reference,
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    status: row.status,
    reason: row.reason,
    isUnknown: isUnderWay && (row.reason === 'OUTCOME_UNKNOWN' || row.operator_reason !== null),
    operatorReason: row.operator_reason,
    amount: toNumber(row.amount_minor),
    currency: 'NGN' as const,
    rail: row.rail,
    railReference: row.rail_reference,
    sessionId: row.session_id,
    payee: {
      accountName: row.beneficiary_account_name,
      accountNumber: row.beneficiary_account_number,
      bankName: row.beneficiary_bank_name,
    },
    createdAt: row.created_at.toISOString(),
    firstSentAt: row.first_sent_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Payouts of all merchants, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readFoundPayouts({ database }: OperatorDeps, query: PayoutSearchQuery, request: ListRequest) {
  const found = await searchPayouts(database, searchOf(query), request);
  const names = await readNamesOf(database, found.rows);
  return {
    ...listView(found, ({ payout_id: id, ...row }) => foundView({ ...row, id }, names)),
    lookedBackTo: found.lookedBackTo?.toISOString() ?? null,
  };
}

/** Who asked for an approval of the payout, or of the batch that it is of, and who gave it. */
async function approvalOf(queries: Queries, tenant: Tenant, payout: PayoutRecord) {
  const subjects = payout.batch_id === null ? [payout.id] : [payout.id, payout.batch_id];
  const [approval] = (await Promise.all(subjects.map((id) => findApprovalOf(queries, tenant, id)))).filter(
    (found) => found !== undefined,
  );
  if (approval === undefined) return null;
  const decisions = await decisionsOf(queries, approval);
  return {
    approvalId: approval.id,
    status: approval.status,
    madeBy: approval.made_by_name,
    madeVia: approval.made_via,
    madeAt: approval.made_at.toISOString(),
    needed: approval.needed,
    decisions: decisions.map((decision) => ({
      decision: decision.decision,
      by: decision.person_name,
      role: decision.person_role,
      note: decision.note,
      at: decision.decided_at.toISOString(),
    })),
  };
}

function sentView(payout: PayoutRecord) {
  return {
    rail: payout.rail,
    reference: payout.rail_reference,
    amount: toNumber(payout.amount_minor),
    currency: payout.currency,
    bankCode: payout.beneficiary_bank_code,
    bankName: payout.beneficiary_bank_name,
    accountNumber: payout.beneficiary_account_number,
    accountName: payout.beneficiary_account_name,
    narration: payout.narration,
    firstSentAt: payout.first_sent_at?.toISOString() ?? null,
    lastSentAt: payout.sent_at?.toISOString() ?? null,
  };
}

/** Nobody reads more of them. */
const MOST_PROPOSALS = 200;

/** The fields that an operator sees. The merchant's own view of the transaction, with its metadata, is left out. */
const CASE = [
  'payout',
  'charges',
  'sent',
  'refusedByRail',
  'nameEnquiry',
  'attempts',
  'transfers',
  'stateChanges',
  'events',
  'approval',
  'proposals',
  'settlements',
];

/** The parts of a case beside the transaction, its calls and the books. */
const caseParts: EvidenceParts = async (queries, tenant, { id }) => {
  const key = [tenant.merchantId, tenant.mode, id];
  const [[payout], proposals, settlements, names] = await Promise.all([
    queries.query(findPayout, key),
    queries.query(listProposals, [...key, MOST_PROPOSALS]),
    queries.query(listPayoutSettlements, key),
    readNamesOf(queries, [tenant]),
  ]);
  if (payout === undefined) throw payoutOfNobody();
  const [emails, approval] = await Promise.all([
    readEmails(queries, peopleOf(proposals)),
    approvalOf(queries, tenant, payout),
  ]);
  return {
    payout: foundView(payout, names),
    charges: toNumber(payout.charges_minor),
    sent: sentView(payout),
    approval,
    proposals: proposals.map((proposal) => pastProposalView(proposal, emails)),
    settlements: settlements.map(({ kind, import_id, settled_at }) => ({
      kind,
      importId: import_id,
      settledAt: settled_at.toISOString(),
    })),
  };
};

/**
 * Everything that is known of one payout at one moment, of any merchant, without secrets and without a full BVN: an
 * operator sends it to the provider's support as it is. @throws AppError 404 `PAYOUT_NOT_FOUND`.
 */
export async function readPayoutCase({ database }: OperatorDeps, reference: string) {
  const payoutId = payoutIdIn(reference);
  const tenant = await findPayoutTenant(database, payoutId);
  if (tenant === undefined) throw payoutOfNobody();
  const evidenceParts: EvidenceParts = async (queries, of, transaction) => {
    const [evidence, parts] = await Promise.all([
      payoutEvidence(queries, of, transaction),
      caseParts(queries, of, transaction),
    ]);
    return { ...evidence, ...parts };
  };
  const found = await readEvidence({ database, details: payoutDetails, evidenceParts }, tenant, payoutId);
  return redact(Object.fromEntries(CASE.map((part) => [part, found[part as keyof typeof found]])));
}
