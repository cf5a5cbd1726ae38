import type { Banks } from '../banks/index.ts';
import { invalidField } from '../platform/errors.ts';
import { uuidOfHex } from '../platform/ids.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import {
  differencesOf,
  isOurReference,
  isSandboxScenario,
  type RailCaller,
  type ReportedFacts,
  type SentTransfer,
  type TransferFact,
} from '../rails/index.ts';
import { railNotConfigured } from './errors.ts';
import type { PayoutRecord } from './queries.ts';

/** Which rails pay for which tenant. A tenant without a rail takes no payouts. */
export interface PayoutRails {
  /**
   * The tenant's rails, first choice first; empty where none is chosen. Cached, since it is asked often. A rail whose
   * account cannot be opened is in the list only where there is no other, with its `fault`.
   */
  listRails(tenant: Tenant): Promise<readonly RailCaller[]>;
  /** The rail that a payout was given to, also when no tenant chooses it any more. */
  findRail(mode: Mode, name: string): Promise<RailCaller | undefined>;
}

/**
 * The tenant's first choice, for a payout that is accepted now.
 * @throws AppError 503 `RAIL_NOT_CONFIGURED`, `RAIL_CREDENTIALS_UNREADABLE`, `RAIL_ACCOUNT_UNUSABLE`
 */
export async function requireRail(rails: PayoutRails, tenant: Tenant): Promise<RailCaller> {
  const rail = await requireChosenRail(rails, tenant);
  if (rail.fault !== undefined) throw rail.fault;
  return rail;
}

/**
 * The same for a payout that was accepted before: where its rail cannot be opened, the payout waits. @throws AppError
 * 503 `RAIL_NOT_CONFIGURED`
 */
export async function requireChosenRail(rails: PayoutRails, tenant: Tenant): Promise<RailCaller> {
  const [first] = await rails.listRails(tenant);
  if (first === undefined) throw railNotConfigured();
  return first;
}

/** The rail that has this payout. @throws AppError 503 `RAIL_NOT_CONFIGURED` */
export async function requireRailOf(rails: PayoutRails, payout: { mode: Mode; rail: string }): Promise<RailCaller> {
  const rail = await rails.findRail(payout.mode, payout.rail);
  if (rail === undefined) throw railNotConfigured();
  return rail;
}

/**
 * Our reference, made of the payout's id alone: every attempt to send it, after any crash, has the same reference, and
 * the rail executes it once.
 */
export function railReferenceOf(payoutId: string): string {
  return payoutId.replaceAll('-', '');
}

/** What a rail is asked to send, or asked about: its answers are compared with these facts. */
export function sentTransferOf(
  payout: Pick<
    PayoutRecord,
    'rail_reference' | 'amount_minor' | 'currency' | 'beneficiary_bank_code' | 'beneficiary_account_number'
  >,
): SentTransfer {
  return {
    railReference: payout.rail_reference,
    amountMinor: payout.amount_minor,
    currency: payout.currency,
    bankCode: payout.beneficiary_bank_code,
    accountNumber: payout.beneficiary_account_number,
  };
}

/** The payout with this reference; undefined where it cannot be one of ours. */
export function payoutIdOf(railReference: string): string | undefined {
  return isOurReference(railReference) ? uuidOfHex(railReference) : undefined;
}

export const SCENARIO_HEADER = 'x-sandbox-scenario';

/**
 * The sandbox scenario that a request names; live requests have none, whatever they send.
 * @throws AppError `VALIDATION_FAILED` for an unknown name, so that a typing error does not pass as success.
 */
export function scenarioOf(mode: Mode, header: string | string[] | undefined): string | null {
  if (mode !== 'SANDBOX' || header === undefined) return null;
  if (typeof header !== 'string' || !isSandboxScenario(header)) {
    throw invalidField('X-Sandbox-Scenario', 'is not a scenario of the sandbox rail');
  }
  return header;
}

/**
 * The facts in which a rail's report contradicts what it was asked to send. A bank may be named by the network's code;
 * a code of no bank that we know is a numbering that we do not know, and contradicts nothing.
 */
export async function differingFacts(
  banks: Banks,
  sent: SentTransfer,
  reported: ReportedFacts,
): Promise<TransferFact[]> {
  const { bankCode } = reported;
  const isOurs = bankCode === null || bankCode === sent.bankCode;
  const known = isOurs ? bankCode : ((await banks.findBank(bankCode))?.code ?? null);
  return differencesOf(sent, { ...reported, bankCode: known });
}
