import { type Cleared, requireCleared } from '../approvals/index.ts';
import { type OwnerQuestion, requireAccountOwner } from '../bank-directory/index.ts';
import type { Banks } from '../banks/index.ts';
import type { PayoutPurpose, Quote } from '../fees/index.ts';
import { formatMoney } from '../money/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';
import type { TenantAccounts } from '../wallets/index.ts';
import { NO_HOLDS } from './holds.ts';
import type { PayoutRecord } from './queries.ts';
import { railReferenceOf } from './rails.ts';

/** An account that a bank has confirmed. `bankCode` is the directory's own code, whichever code was sent. */
interface Beneficiary {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
}

/** The payee, as the bank names it. @throws AppError as `requireAccountOwner`. */
export async function requireBeneficiary(
  deps: { banks: Banks; rail: RailCaller },
  question: OwnerQuestion,
): Promise<Beneficiary> {
  const { bank, accountName } = await requireAccountOwner(deps, question);
  return { bankCode: bank.code, bankName: bank.name, accountNumber: question.accountNumber, accountName };
}

interface NewPayout {
  tenant: Tenant;
  id: string;
  accounts: TenantAccounts;
  quote: Quote;
  beneficiary: Beneficiary;
  narration: string;
  phoneNumber: string | null;
  purpose: PayoutPurpose;
  batchId: string | null;
  clientReference: string | null;
  /** JSON text. */
  metadata: string | null;
  rail: string;
  scenario: string | null;
  at: Date;
  allowDuplicate: boolean;
  /** Whether it leaves the wallet of a store or subaccount. */
  fromChild?: boolean;
  /** As `PayoutRow` has it; null unless given. */
  countedOn?: string | null;
}

/**
 * A payout that waits: no worker leases it before it is released. The caller that puts it into a movement makes its
 * holds; a schedule has none yet.
 */
export function newPayout(payout: NewPayout): PayoutRecord {
  const { quote, beneficiary, accounts, at } = payout;
  const { wallet } = accounts;
  const amount = formatMoney(quote.amountMinor, quote.currency);
  return {
    merchant_id: payout.tenant.merchantId,
    mode: payout.tenant.mode,
    id: payout.id,
    category: 'PAYOUT',
    status: 'PENDING_APPROVAL',
    reason: null,
    amount_minor: quote.amountMinor,
    charges_minor: quote.chargesMinor,
    currency: quote.currency,
    narration: payout.narration,
    description: `${amount} from ${payout.fromChild === true ? wallet.accountName : 'the merchant wallet'} to ${beneficiary.accountName} at ${beneficiary.bankName}`,
    client_reference: payout.clientReference,
    batch_id: payout.batchId,
    wallet_id: wallet.id,
    from_wallet_id: wallet.id,
    to_wallet_id: null,
    provider_wallet_id: accounts.providerFloat,
    subject_id: null,
    subject_name: null,
    beneficiary_bank_name: beneficiary.bankName,
    beneficiary_bank_code: beneficiary.bankCode,
    beneficiary_account_number: beneficiary.accountNumber,
    beneficiary_account_name: beneficiary.accountName,
    originator_bank_name: wallet.bankName,
    originator_bank_code: wallet.bankCode,
    originator_account_number: wallet.accountNumber,
    originator_account_name: wallet.accountName,
    metadata: payout.metadata,
    created_at: at,
    updated_at: at,
    paid_at: null,
    purpose: payout.purpose,
    phone_number: payout.phoneNumber,
    rail: payout.rail,
    rail_reference: railReferenceOf(payout.id),
    scenario: payout.scenario,
    scheduled_for: null,
    next_step: 'SEND',
    due_at: null,
    attempts: 0,
    first_sent_at: null,
    session_id: null,
    rail_code: null,
    fee_minor: quote.feeMinor,
    vat_minor: quote.vatMinor,
    stamp_duty_minor: quote.stampDutyMinor,
    ...NO_HOLDS,
    counted_on: payout.countedOn ?? null,
    allow_duplicate: payout.allowDuplicate,
    approval_id: null,
    rules_version: null,
    sent_at: null,
    refused_by: null,
    operator_reason: null,
    operator_since: null,
  };
}

/** The only way for a new payout to be sent: with nothing left to approve, it is due at once. */
export function queuedPayout<P extends PayoutRecord>(payout: P, cleared: Cleared): P {
  return { ...payout, status: 'QUEUED', due_at: payout.created_at, ...clearanceOf(cleared) };
}

/** The same for a schedule: due at its time. */
export function scheduledPayout<P extends PayoutRecord>(payout: P, cleared: Cleared): P {
  return { ...payout, status: 'SCHEDULED', due_at: payout.scheduled_for, ...clearanceOf(cleared) };
}

function clearanceOf(cleared: Cleared): Pick<PayoutRecord, 'approval_id' | 'rules_version'> {
  const { approvalId, rulesVersion } = requireCleared(cleared);
  return { approval_id: approvalId, rules_version: rulesVersion };
}
