import type { Bank } from '../banks/index.ts';
import { readPayoutLimit } from '../limits/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { type PayoutDeps, requireChosenRail } from '../payouts/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { RAIL_UNAVAILABLE, type RailCaller } from '../rails/index.ts';
import { LOW_MATCH_BELOW, matchScore } from './match-name.ts';
import type { BatchRow, ItemRow } from './queries.ts';

/**
 * No instant transfer is larger: the central bank's highest limit, for companies with an indemnity. Whatever is above
 * it is a slip of the keyboard. The operator's own limit is mostly lower.
 */
const MAX_AMOUNT_MINOR = 250_000_000_00n;
const MAX_NARRATION = 100;
/** Of a rail that is not being asked at all. */
const NOT_ASKED: ReadonlySet<string | null> = new Set(['RAIL_CIRCUIT_OPEN', RAIL_UNAVAILABLE]);

export type ItemFacts = Pick<
  ItemRow,
  | 'amount_minor'
  | 'given_amount'
  | 'bank_code'
  | 'account_number'
  | 'narration'
  | 'phone_number'
  | 'given_name'
  | 'warnings'
>;

export type ItemCheck = Pick<
  ItemRow,
  'account_name' | 'bank_name' | 'match_score' | 'is_valid' | 'reason' | 'warnings' | 'directory_bank_code'
>;

/** `silent`: the rail said nothing, and the same question may have an answer in a moment. `down`: nor is it being asked. */
export type Checked = { check: ItemCheck; silent: false } | { check: ItemCheck; silent: true; down: boolean };

/** Where the items of a batch are going, in which play, and what one of them may be at most. */
export interface CheckContext {
  tenant: Tenant;
  scenario: string | null;
  rail: RailCaller;
  maxAmountMinor: bigint;
}

/** @throws AppError 503 `RAIL_NOT_CONFIGURED` */
export async function openCheck(deps: PayoutDeps, batch: BatchRow): Promise<CheckContext> {
  const tenant: Tenant = { merchantId: batch.merchant_id, mode: batch.mode };
  const [rail, { perPayoutMinor }] = await Promise.all([
    requireChosenRail(deps.rails, tenant),
    readPayoutLimit(deps, tenant),
  ]);
  const lower = perPayoutMinor !== null && perPayoutMinor < MAX_AMOUNT_MINOR;
  return { tenant, scenario: batch.scenario, rail, maxAmountMinor: lower ? perPayoutMinor : MAX_AMOUNT_MINOR };
}

/**
 * Can this item be paid? What is wrong is said in words for the clerk who has to correct it, all of it at once; the bank
 * is asked for the name only where the rest is right. A name unlike the given one is a warning: people marry, and banks
 * shorten.
 */
export async function checkItem(deps: PayoutDeps, context: CheckContext, item: ItemFacts): Promise<Checked> {
  const bank = await deps.banks.findBank(item.bank_code);
  const complaints = complaintsOf(item, bank, context.maxAmountMinor);
  if (bank === undefined || complaints.length > 0) {
    return { check: invalid(item, bank, complaints.join(' ')), silent: false };
  }
  const answer = await context.rail.nameEnquiry({
    tenant: context.tenant,
    bankCode: bank.code,
    accountNumber: item.account_number,
    scenario: context.scenario ?? undefined,
  });
  if (answer.outcome === 'found' && answer.accountName !== null) {
    return { check: valid(item, bank, answer.accountName), silent: false };
  }
  if (answer.outcome === 'not_found') {
    const reason = `${bank.name} has no account with the number ${item.account_number}.`;
    return { check: invalid(item, bank, reason), silent: false };
  }
  const reason = `${bank.name} did not say who owns the account. Save the item again to ask once more.`;
  const check = invalid(item, bank, reason);
  // A code is an answer: the bank cannot say. No code: nobody answered.
  return answer.code === null ? { check, silent: true, down: NOT_ASKED.has(answer.reason) } : { check, silent: false };
}

function valid(item: ItemFacts, bank: Bank, accountName: string): ItemCheck {
  const { given_name } = item;
  const match_score = given_name === null ? null : matchScore(given_name, accountName);
  const low = given_name !== null && match_score !== null && match_score < LOW_MATCH_BELOW;
  return {
    account_name: accountName,
    bank_name: bank.name,
    match_score,
    is_valid: true,
    reason: null,
    directory_bank_code: bank.code === item.bank_code ? null : bank.code,
    warnings: low ? withWarning(item.warnings, lowMatchWarning(bank.name, accountName, given_name)) : item.warnings,
  };
}

function invalid(item: ItemFacts, bank: Bank | undefined, reason: string): ItemCheck {
  return {
    account_name: null,
    bank_name: bank?.name ?? null,
    match_score: null,
    is_valid: false,
    reason,
    directory_bank_code: null,
    warnings: item.warnings,
  };
}

const LOW_MATCH = 'The account belongs to';

function lowMatchWarning(bankName: string, accountName: string, givenName: string): string {
  return `${LOW_MATCH} "${accountName}" at ${bankName}, which is not much like the given name "${givenName}".`;
}

function withWarning(warnings: string | null, warning: string): string {
  return JSON.stringify([...(JSON.parse(warnings ?? '[]') as string[]), warning]);
}

/** What was said of an item besides what the bank's answer says: for an item that is about to be checked again. */
export function withoutMatchWarning(warnings: string | null): string | null {
  const kept = (JSON.parse(warnings ?? '[]') as string[]).filter((warning) => !warning.startsWith(LOW_MATCH));
  return kept.length === 0 ? null : JSON.stringify(kept);
}

function complaintsOf(item: ItemFacts, bank: Bank | undefined, maxAmountMinor: bigint): string[] {
  const complaints: string[] = [];
  if (item.amount_minor === 0n && item.given_amount !== null) {
    complaints.push(`The amount "${item.given_amount}" is not a whole number of naira.`);
  } else if (item.amount_minor <= 0n) complaints.push('The amount must be greater than zero.');
  if (item.amount_minor > maxAmountMinor) {
    complaints.push(`The amount must not be more than ${formatMoney(maxAmountMinor, DEFAULT_CURRENCY)}.`);
  }
  if (!/^\d{10}$/.test(item.account_number)) complaints.push('The account number must be 10 digits.');
  if (item.narration === '') complaints.push('The narration is missing.');
  if (item.narration.length > MAX_NARRATION) {
    complaints.push(`The narration must have at most ${MAX_NARRATION} characters.`);
  }
  if (item.phone_number !== null && !/^\+?\d{7,15}$/.test(item.phone_number)) {
    complaints.push('The phone number must be 7 to 15 digits.');
  }
  if (bank === undefined) complaints.push(`There is no bank with the code "${item.bank_code}".`);
  else if (!bank.active) complaints.push(`${bank.name} does not take payouts.`);
  return complaints;
}
