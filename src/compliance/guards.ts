import type { CreditGuard, GuardedCredit, InboundPaymentRow } from '../collections/index.ts';
import type { HoldPayouts, PayoutGuard, PayoutRecord } from '../payouts/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import type { PaymentReview } from '../suspense/index.ts';
import { type CaseReason, insertCases, type NewCase, updatePaymentCasesDecided } from './case-queries.ts';
import type { FreezeRow } from './freeze-queries.ts';
import type { KnownFreezes } from './known-freezes.ts';

/** What a merchant reads of money that is held for the operator to look into: it says nothing of what was found. */
export const UNDER_REVIEW = 'UNDER_REVIEW';

export interface GuardDeps {
  knownFreezes: KnownFreezes;
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
  return async (tenant, guarded) => {
    const found = await findingOf(deps, tenant, guarded);
    if (found === undefined) return undefined;
    const subject = { subject_type: 'PAYMENT', subject_id: guarded.paymentId } as const;
    return { heldBy: UNDER_REVIEW, writes: [write(insertCases, caseOf(tenant, subject, found, guarded.at))] };
  };
}

async function findingOf(
  { knownFreezes }: GuardDeps,
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
  return freeze === undefined ? undefined : frozenBy(freeze);
}

/** What of a payout a freeze may be about. */
const freezableOf = (payout: PayoutRecord) => ({
  bankCode: payout.beneficiary_bank_code,
  accountNumber: payout.beneficiary_account_number,
  references: [payout.id, payout.rail_reference, payout.client_reference, payout.session_id],
});

/** Keeps payouts that are frozen from being accepted and from being sent. */
export function createPayoutGuard({ knownFreezes, clock }: GuardDeps & { clock: { now(): Date } }): PayoutGuard {
  return {
    async isFrozen(payout) {
      return (await knownFreezes()).ofPayout(tenantOf(payout), freezableOf(payout), clock.now()) !== undefined;
    },
    async prepare(): Promise<HoldPayouts> {
      const freezes = await knownFreezes();
      return async (tx, payouts, at) => {
        const held = payouts.flatMap((payout) => {
          const freeze = freezes.ofPayout(tenantOf(payout), freezableOf(payout), at);
          return freeze === undefined ? [] : [{ payout, found: frozenBy(freeze) }];
        });
        await openCases(tx, held, at);
        return new Set(held.map(({ payout }) => payout.id));
      };
    },
  };
}

/** Why a freeze keeps a merchant's collections from going to its bank. The word tells nobody that there is one. */
export function createFreezeStop({ knownFreezes }: GuardDeps) {
  return async (tenant: Tenant, at: Date): Promise<string | undefined> =>
    (await knownFreezes()).ofMerchant(tenant, at) === undefined ? undefined : 'UNDER_REVIEW';
}

/** In the transaction that would have leased them: a payout that is held has its case. */
async function openCases(
  queries: Queries,
  held: readonly { payout: PayoutRecord; found: Finding }[],
  at: Date,
): Promise<void> {
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
      const references = [payment.id, payment.provider_transaction_id, payment.provider_reference, payment.session_id];
      const credit = {
        payerName: payment.payer_name,
        payerAccountNumber: payment.payer_account_number,
        accountNumber: payment.account_number,
        references,
      };
      return (await knownFreezes()).ofCredit(tenantOf(payment), credit, clock.now()) !== undefined;
    },
    caseWrites({ merchant_id, mode, id, status: before }: InboundPaymentRow, status, at): Write[] {
      if (before !== 'SUSPENSE') return [];
      return [write(updatePaymentCasesDecided, { merchant_id, mode, payment_id: id, status, at })];
    },
  };
}
