import type { CreditGuard, GuardedCredit, InboundPaymentRow } from '../collections/index.ts';
import { type KnownLimits, type TierInflow, tierInflow } from '../limits/index.ts';
import type { HoldPayouts, PayoutGuard, PayoutRecord } from '../payouts/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { type AppError, unavailable } from '../platform/errors.ts';
import { startLongWork } from '../platform/give-way.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { type FreezablePayment, listRefundedPayments } from '../refunds/index.ts';
import type { Screening, ScreeningHit } from '../screening/index.ts';
import type { PaymentReview } from '../suspense/index.ts';
import {
  type CaseReason,
  insertCases,
  listReleasedPayouts,
  type NewCase,
  updatePaymentCasesDecided,
} from './case-queries.ts';
import type { FreezeRow } from './freeze-queries.ts';
import type { FreezableCredit, FreezeIndex, KnownFreezes } from './known-freezes.ts';

/** What a merchant reads of money that is held for the operator to look into: it says nothing of what was found. */
const UNDER_REVIEW = 'UNDER_REVIEW';

export interface GuardDeps {
  knownFreezes: KnownFreezes;
  payoutLimits: KnownLimits;
  screening: Screening;
}

/** Why something is held, as its case says it. */
interface Finding {
  reason: CaseReason;
  cause: string;
  freezeId: string | null;
  facts: Record<string, unknown>;
}

const frozenBy = ({ id, subject, reason }: FreezeRow): Finding => ({
  reason: 'FROZEN',
  cause: id,
  freezeId: id,
  facts: { subject, reason },
});

function caseOf(
  tenant: Tenant,
  subject: Pick<NewCase, 'subject_type' | 'subject_id'>,
  found: Finding,
  at: Date,
): NewCase {
  return {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: newId(),
    ...subject,
    reason: found.reason,
    cause: found.cause,
    freeze_id: found.freezeId,
    facts: JSON.stringify(found.facts),
    opened_at: at,
  };
}

/** Holds a credit that is frozen, in suspense and with its case, in the movement that books it. */
export function createCreditGuard(deps: GuardDeps): CreditGuard {
  return async (tenant, guarded, refused) => {
    const { amountMinor } = guarded.credit;
    const found = await findingOf(deps, tenant, guarded);
    const inflow = found === undefined ? await tierInflow(deps, tenant, amountMinor, guarded.at) : undefined;
    const held = found ?? aboveTierOf(inflow, refused);
    if (held === undefined) return inflow && { heldBy: null, parts: inflow.parts, writes: [] };
    const subject = { subject_type: 'PAYMENT', subject_id: guarded.paymentId } as const;
    const heldBy = held.reason === 'TIER_LIMIT' ? held.reason : UNDER_REVIEW;
    return { heldBy, writes: [write(insertCases, caseOf(tenant, subject, held, guarded.at))] };
  };
}

/** Where a credit is above what the merchant's tier allows: by itself, or as the movement that would have credited it found. */
function aboveTierOf(inflow: TierInflow | undefined, refused: AppError | undefined): Finding | undefined {
  if (inflow === undefined) return undefined;
  const { tier, aboveSingleMinor } = inflow;
  const above = aboveSingleMinor === null ? refused?.message : `SINGLE_IN ${aboveSingleMinor}`;
  if (above === undefined) return undefined;
  const [limit, limitMinor] = above.split(' ');
  return { reason: 'TIER_LIMIT', cause: 'TIER_LIMIT', freezeId: null, facts: { tier, limit, limitMinor } };
}

async function findingOf(
  { knownFreezes, screening }: GuardDeps,
  tenant: Tenant,
  { paymentId, credit, accountNumber, at }: GuardedCredit,
): Promise<Finding | undefined> {
  const { payerName, payerAccountNumber, providerTransactionId, providerReference, sessionId } = credit;
  const references = [paymentId, providerTransactionId, providerReference, sessionId];
  const freeze = (await knownFreezes()).ofCredit(
    tenant,
    { payerName, payerAccountNumber, accountNumber, references },
    at,
  );
  if (freeze !== undefined) return frozenBy(freeze);
  const subject = { name: payerName, accountNumber: payerAccountNumber, bankCode: null };
  const screened = await screening.screen(tenant.mode, subject);
  // It is asked about again, and booked once the lists can be read: nothing is lost by waiting.
  if (screened.outcome === 'UNKNOWN') throw unavailable('Payers cannot be screened at this moment.', undefined);
  return screened.outcome === 'HIT' ? onList(screened.hits) : undefined;
}

/** Of screening: what a list holds is held once, whatever version of it says so. */
const SCREENING = 'SCREENING';

const onList = (hits: readonly ScreeningHit[]): Finding => ({
  reason: 'SCREENING_HIT',
  cause: SCREENING,
  freezeId: null,
  facts: { hits },
});
const UNSCREENED: Finding = {
  reason: 'SCREENING_UNAVAILABLE',
  cause: `${SCREENING}_UNAVAILABLE`,
  freezeId: null,
  facts: {},
};

/** What of a payout a freeze may be about. */
const freezableOf = (payout: PayoutRecord) => ({
  bankCode: payout.beneficiary_bank_code,
  accountNumber: payout.beneficiary_account_number,
  references: [payout.id, payout.rail_reference, payout.client_reference, payout.session_id],
});

/** What of a payment in a freeze may be about. */
const creditOf = (payment: FreezablePayment): FreezableCredit => ({
  payerName: payment.payer_name,
  payerAccountNumber: payment.payer_account_number,
  accountNumber: payment.account_number,
  references: [payment.id, payment.provider_transaction_id, payment.provider_reference, payment.session_id],
});

/** By their payouts, all of one merchant: the payments that these refund. Nothing is asked where nothing is frozen. */
async function refundedBy(
  queries: Pick<Queries, 'query'>,
  freezes: FreezeIndex,
  payouts: readonly PayoutRecord[],
): Promise<ReadonlyMap<string, FreezablePayment>> {
  const refunds = freezes.isEmpty ? [] : payouts.filter(({ purpose }) => purpose === 'REFUND');
  const [first] = refunds;
  if (first === undefined) return new Map();
  const key = [first.merchant_id, first.mode];
  const rows = await queries.query(listRefundedPayments, [...key, refunds.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row.payout_id, row]));
}

/** Why a payout may not leave now: nothing of a payment that is frozen goes back, by whichever way. */
function freezeOf(
  freezes: FreezeIndex,
  payout: PayoutRecord,
  refunded: FreezablePayment | undefined,
  at: Date,
): FreezeRow | undefined {
  if (freezes.isEmpty) return undefined;
  const tenant = tenantOf(payout);
  const freeze = freezes.ofPayout(tenant, freezableOf(payout), at);
  return freeze ?? (refunded && freezes.ofCredit(tenant, creditOf(refunded), at));
}

/** Keeps payouts that are frozen from being accepted and from being sent. */
export function createPayoutGuard({
  database,
  knownFreezes,
  screening,
  clock,
}: GuardDeps & { database: Pick<Queries, 'query'>; clock: { now(): Date } }): PayoutGuard {
  async function prepareFindings() {
    const [freezes, screen] = await Promise.all([knownFreezes(), screening.prepare()]);
    const findingFor = (payout: PayoutRecord, refunded: FreezablePayment | undefined, at: Date) => {
      const freeze = freezeOf(freezes, payout, refunded, at);
      if (freeze !== undefined) return frozenBy(freeze);
      const screened = screen(payout.mode, payeeOf(payout));
      if (screened.outcome === 'UNKNOWN') return UNSCREENED;
      return screened.outcome === 'HIT' ? onList(screened.hits) : undefined;
    };
    return async (queries: Pick<Queries, 'query'>, payouts: readonly PayoutRecord[], at: Date) => {
      const found: HeldPayout[] = [];
      const refunded = await refundedBy(queries, freezes, payouts);
      // Nearly all names were compared before; of those that were not, the rows wait and nobody else does.
      const work = startLongWork();
      for (const payout of payouts) {
        const finding = findingFor(payout, refunded.get(payout.id), at);
        if (finding !== undefined) found.push({ payout, found: finding });
        await work.giveWay();
      }
      return found;
    };
  }

  return {
    async isFrozen(payout) {
      const freezes = await knownFreezes();
      if (freezes.isEmpty) return false;
      const refunded = await refundedBy(database, freezes, [payout]);
      return freezeOf(freezes, payout, refunded.get(payout.id), clock.now()) !== undefined;
    },
    lookAhead: (mode, listNames) => screening.compareAhead(mode, listNames),
    async prepare(): Promise<HoldPayouts> {
      const findingsOf = await prepareFindings();
      return async (tx, payouts, at) => {
        const held = await withoutReleased(tx, await findingsOf(tx, payouts, at));
        await openCases(tx, held, at);
        return new Set(held.map(({ payout }) => payout.id));
      };
    },
    async listFound(payouts, at) {
      const findingsOf = await prepareFindings();
      return new Set((await findingsOf(database, payouts, at)).map(({ payout }) => payout.id));
    },
  };
}

/** Why a freeze keeps a merchant's collections from going to its bank. The word tells nobody that there is one. */
export function createFreezeStop({ knownFreezes }: GuardDeps) {
  return async (tenant: Tenant, at: Date): Promise<string | undefined> =>
    (await knownFreezes()).ofMerchant(tenant, at) === undefined ? undefined : 'UNDER_REVIEW';
}

const payeeOf = (payout: PayoutRecord) => ({
  name: payout.beneficiary_account_name,
  accountNumber: payout.beneficiary_account_number,
  bankCode: payout.beneficiary_bank_code,
});

interface HeldPayout {
  payout: PayoutRecord;
  found: Finding;
}

/** What two people have released from a list goes, and nothing is asked where no list holds anything. */
async function withoutReleased(queries: Queries, found: readonly HeldPayout[]): Promise<readonly HeldPayout[]> {
  const onLists = found.filter(({ found: { cause } }) => cause === SCREENING);
  const [first] = onLists;
  if (first === undefined) return found;
  const { merchant_id, mode } = first.payout;
  const ids = onLists.map(({ payout }) => payout.id);
  const rows = await queries.query(listReleasedPayouts, [merchant_id, mode, ids, SCREENING]);
  const released = new Set(rows.map(({ subject_id }) => subject_id));
  return found.filter(({ payout, found: { cause } }) => cause !== SCREENING || !released.has(payout.id));
}

/** In the transaction that would have leased them: a payout that is held has its case. */
async function openCases(queries: Queries, held: readonly HeldPayout[], at: Date): Promise<void> {
  if (held.length === 0) return;
  const cases = held.map(({ payout, found }) =>
    caseOf(tenantOf(payout), { subject_type: 'PAYOUT', subject_id: payout.id }, found, at),
  );
  await queries.run(insertCases, cases);
}

/** What decides about payments in suspense asks, and writes beside its decision. */
export function createPaymentReview({ knownFreezes, clock }: GuardDeps & { clock: { now(): Date } }): PaymentReview {
  return {
    async isPaymentFrozen(payment) {
      return (await knownFreezes()).ofCredit(tenantOf(payment), creditOf(payment), clock.now()) !== undefined;
    },
    caseWrites({ merchant_id, mode, id, status: before }: InboundPaymentRow, status, at): Write[] {
      if (before !== 'SUSPENSE') return [];
      return [write(updatePaymentCasesDecided, { merchant_id, mode, payment_id: id, status, at })];
    },
  };
}
