import type { Maker } from '../approvals/index.ts';
import type { PayoutPurpose, Quote } from '../fees/index.ts';
import type { CommitResult, IdempotencyKey, UniqueKey } from '../ledger/index.ts';
import { checkPayoutLimit } from '../limits/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { TenantAccounts } from '../wallets/index.ts';
import type { PayoutDeps } from './deps.ts';
import { referenceTaken } from './errors.ts';
import { newPayout, requireBeneficiary } from './payout-record.ts';
import type { PayoutRecord } from './queries.ts';
import { requireRail } from './rails.ts';

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
  /** Pay although the same was just paid. */
  allowDuplicate: boolean;
  idempotency: IdempotencyKey | undefined;
}

interface PreparedSingle {
  payout: PayoutRecord;
  accounts: TenantAccounts;
  quote: Quote;
}

/** The answer that this key already has, so that a repeated request does not depend on the bank to get it. */
export async function earlierAnswer(deps: PayoutDeps, input: SingleInput): Promise<CommitResult | undefined> {
  return input.idempotency && deps.ledger.findAnswer(input.tenant, input.idempotency);
}

/**
 * Checks the limit, asks the bank for the owner and prices the payout by the rules in force at `quoteAt`. Writes nothing.
 * @throws AppError as `checkPayoutLimit`, `requireRail`, `requireBeneficiary` and the quote.
 */
export async function prepareSingle(deps: PayoutDeps, input: SingleInput, quoteAt: Date): Promise<PreparedSingle> {
  const { tenant, amountMinor } = input;
  await checkPayoutLimit(deps, tenant, amountMinor);
  const rail = await requireRail(deps.rails, tenant);
  const purpose = input.purpose ?? 'GENERAL';
  const [beneficiary, quote, accounts] = await Promise.all([
    requireBeneficiary({ banks: deps.banks, rail }, input),
    deps.fees.quotePayout({ amountMinor, currency: DEFAULT_CURRENCY, purpose, at: quoteAt }),
    deps.wallets.requireTenantAccounts(tenant),
  ]);
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
    at: deps.clock.now(),
  });
  return { payout, accounts, quote };
}

export const REFERENCE_SCOPE = 'TRANSACTION_REFERENCE';

export function referenceKeys(input: SingleInput): UniqueKey[] {
  if (input.reference === undefined) return [];
  return [{ scope: REFERENCE_SCOPE, value: input.reference, taken: referenceTaken }];
}
