import { createHash } from 'node:crypto';
import { type Write, write } from '../../platform/db/statement.ts';
import { newId, uuidOfHex } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { creditWebhookDueAt, type PayerScenarioName, storedPayerScenario } from './payer-scenarios.ts';
import { type CreditRow, insertSandboxCredits } from './queries.ts';
import { accountNameOf, requireSandbox } from './scenarios.ts';

/** Not a real institution: what the session ids of the sandbox begin with. */
export const INSTITUTION_CODE = '999999';
const CURRENCY = 'NGN';
const DEFAULT_PAYER_ACCOUNT = '0123456785';
const DEFAULT_PAYER_BANK = 'Sandbox Bank';
const ID = /^sbx_([0-9a-f]{32})_[0-9a-f]{32}$/;

/** Who pays, as their bank reports it. What is absent is made up. */
export interface SandboxPayer {
  name?: string | undefined;
  accountNumber?: string | undefined;
  bankName?: string | undefined;
}

/** Somebody pays to an account number of the sandbox, or on a page of it. */
export interface SandboxPayment {
  tenant: Tenant;
  /** To which account number; on a page, our reference of it. */
  accountNumber: string;
  /** How; default: by transfer. Only on a page by card. */
  channel?: CreditRow['channel'] | undefined;
  /** Minor units of naira, positive; of each credit. */
  amountMinor: bigint;
  payer?: SandboxPayer | undefined;
  narration?: string | undefined;
  /** Default: `paid`. */
  scenario?: PayerScenarioName | undefined;
  /** So many transfers, each a credit of its own; default: one. */
  times?: number | undefined;
}

/**
 * What a payment brings into the simulated bank's books: the rows, and the writes that put them there with whatever else
 * commits. Their webhooks go out when they are due, by the worker.
 */
export function sandboxCredits(payment: SandboxPayment, now: Date): { rows: CreditRow[]; writes: Write[] } {
  requireSandbox(payment.tenant);
  const rows = Array.from({ length: payment.times ?? 1 }, () => newCredit(payment, now));
  return { rows, writes: rows.map((row) => write(insertSandboxCredits, row)) };
}

function newCredit({ tenant, payer = {}, ...payment }: SandboxPayment, now: Date): CreditRow {
  const scenario = storedPayerScenario(payment.scenario ?? 'paid');
  const id = `sbx_${hexOf(tenant.merchantId)}_${hexOf(newId())}`;
  const channel = payment.channel ?? 'BANK_TRANSFER';
  // A payer by card has no account in it, and nothing of a card is asked for or kept.
  const isCard = channel === 'CARD';
  const payerAccountNumber = payer.accountNumber ?? DEFAULT_PAYER_ACCOUNT;
  return {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id,
    session_id: sessionIdOf(id, now),
    account_number: payment.accountNumber,
    amount_minor: payment.amountMinor,
    currency: CURRENCY,
    payer_name: payer.name ?? accountNameOf(payerAccountNumber),
    payer_account_number: isCard ? '' : payerAccountNumber,
    payer_bank_name: isCard ? '' : (payer.bankName ?? DEFAULT_PAYER_BANK),
    narration: payment.narration ?? null,
    channel,
    scenario: scenario.name,
    status: scenario.status,
    paid_at: now,
    counted_from: now,
    queries: 0,
    webhooks_delivered: 0,
    next_webhook_at: creditWebhookDueAt(scenario, 0, now),
  };
}

/** Whose credit it is, by the provider's transaction id; undefined for an id that this bank never gave. */
export function tenantOfCredit(providerTransactionId: string): Tenant | undefined {
  const hex = ID.exec(providerTransactionId)?.[1];
  return hex === undefined ? undefined : { merchantId: uuidOfHex(hex), mode: 'SANDBOX' };
}

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '').toLowerCase();
}

/** 30 digits as on NIP: institution, yyMMddHHmmss, and twelve that follow from the id. */
function sessionIdOf(id: string, at: Date): string {
  const time = at.toISOString().replace(/\D/g, '').slice(2, 14);
  return `${INSTITUTION_CODE}${time}${digitsOf(id, 12)}`;
}

/** So many decimal digits that follow from a text, the same everywhere. */
export function digitsOf(text: string, count: number): string {
  const hash = createHash('sha256').update(text).digest().readBigUInt64BE();
  return String(hash % 10n ** BigInt(count)).padStart(count, '0');
}
