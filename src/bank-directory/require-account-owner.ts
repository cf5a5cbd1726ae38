import type { Bank, Banks } from '../banks/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';
import { accountNotFound, bankNotFound, nameEnquiryUnavailable } from './errors.ts';

export interface OwnerQuestion {
  tenant: Tenant;
  /** The directory's code or the network's. */
  bankCode: string;
  accountNumber: string;
  /** Sandbox only. */
  scenario: string | null | undefined;
}

/**
 * Whose account it is, by the bank's own word: the one name enquiry of the service. A bank that does not say has not said
 * that there is no such account.
 * @throws AppError 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`; 503 `NAME_ENQUIRY_UNAVAILABLE`
 */
export async function requireAccountOwner(
  deps: { banks: Banks; rail: Pick<RailCaller, 'nameEnquiry'> },
  { tenant, bankCode, accountNumber, scenario }: OwnerQuestion,
): Promise<{ bank: Bank; accountName: string }> {
  const bank = await deps.banks.findBank(bankCode);
  if (bank === undefined || !bank.active) throw bankNotFound(bankCode);
  const question = { tenant, bankCode: bank.code, accountNumber, scenario: scenario ?? undefined };
  const said = await deps.rail.nameEnquiry(question);
  if (said.outcome === 'not_found') throw accountNotFound(accountNumber, bank.name);
  if (said.outcome !== 'found' || said.accountName === null) throw nameEnquiryUnavailable(bank.name);
  return { bank, accountName: said.accountName };
}
