import { formatMoney } from '../../money/index.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { requireRail } from '../rails.ts';
import type { ItemRow } from './queries.ts';

/**
 * No instant transfer is larger: the central bank's highest limit, for companies with an indemnity. Whatever is above
 * it is a slip of the keyboard.
 */
const MAX_AMOUNT_MINOR = 250_000_000_00n;
const MAX_NARRATION = 100;

export type ItemFacts = Pick<ItemRow, 'amount_minor' | 'bank_code' | 'account_number' | 'narration' | 'phone_number'>;

export type ItemCheck = Pick<ItemRow, 'account_name' | 'bank_name' | 'is_valid' | 'reason'> & {
  /** The rail itself was silent: the same question may have an answer in a moment. */
  mayRetry: boolean;
};

/** Where the item is going and in which play. */
export interface CheckContext {
  tenant: Tenant;
  scenario: string | null;
}

/**
 * Can this item be paid? What is wrong is said in words for the clerk who has to mend it, all of it at once; the bank
 * is asked for the name only where the rest is right.
 */
export async function checkItem(deps: PayoutDeps, context: CheckContext, item: ItemFacts): Promise<ItemCheck> {
  const bank = await deps.banks.findBank(item.bank_code);
  const complaints = complaintsOf(item);
  if (bank === undefined) complaints.push(`There is no bank with the code "${item.bank_code}".`);
  else if (!bank.active) complaints.push(`${bank.name} does not take payouts.`);
  const invalid = (reason: string, mayRetry = false): ItemCheck => {
    return { account_name: null, bank_name: bank?.name ?? null, is_valid: false, reason, mayRetry };
  };
  if (bank === undefined || complaints.length > 0) return invalid(complaints.join(' '));

  const rail = await requireRail(deps.rails, context.tenant);
  const answer = await rail.nameEnquiry({
    tenant: context.tenant,
    bankCode: bank.code,
    accountNumber: item.account_number,
    scenario: context.scenario ?? undefined,
  });
  if (answer.outcome === 'not_found')
    return invalid(`${bank.name} has no account with the number ${item.account_number}.`);
  if (answer.outcome !== 'found' || answer.accountName === null) {
    const reason = `${bank.name} did not say who owns the account. Save the item again to ask once more.`;
    return invalid(reason, answer.code === null);
  }
  return { account_name: answer.accountName, bank_name: bank.name, is_valid: true, reason: null, mayRetry: false };
}

function complaintsOf(item: ItemFacts): string[] {
  const complaints: string[] = [];
  if (item.amount_minor <= 0n) complaints.push('The amount must be greater than zero.');
  if (item.amount_minor > MAX_AMOUNT_MINOR) {
    complaints.push(`The amount must not be more than ${formatMoney(MAX_AMOUNT_MINOR, 'NGN')}.`);
  }
  if (!/^\d{10}$/.test(item.account_number)) complaints.push('The account number must be 10 digits.');
  if (item.narration === '') complaints.push('The narration is missing.');
  if (item.narration.length > MAX_NARRATION) {
    complaints.push(`The narration must have at most ${MAX_NARRATION} characters.`);
  }
  if (item.phone_number !== null && !/^\+?\d{7,15}$/.test(item.phone_number)) {
    complaints.push('The phone number must be 7 to 15 digits.');
  }
  return complaints;
}
