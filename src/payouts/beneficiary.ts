import type { Banks } from '../banks/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';
import { accountNotFound, bankNotFound, nameEnquiryUnavailable } from './errors.ts';

/** An account that a bank has confirmed. `bankCode` is the directory's own code, whichever of the two was sent. */
export interface Beneficiary {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
}

export interface BeneficiaryQuestion {
  tenant: Tenant;
  bankCode: string;
  accountNumber: string;
  /** Sandbox only. */
  scenario: string | null;
}

/**
 * Who owns the account, by the bank's own word.
 * @throws AppError `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`; 503 `NAME_ENQUIRY_UNAVAILABLE` when the bank does not say.
 */
export async function requireBeneficiary(
  deps: { banks: Banks; rail: RailCaller },
  question: BeneficiaryQuestion,
): Promise<Beneficiary> {
  const { tenant, accountNumber } = question;
  const bank = await deps.banks.findBank(question.bankCode);
  if (bank === undefined || !bank.active) throw bankNotFound(question.bankCode);
  const scenario = question.scenario ?? undefined;
  const answer = await deps.rail.nameEnquiry({ tenant, bankCode: bank.code, accountNumber, scenario });
  if (answer.outcome === 'not_found') throw accountNotFound(bank.name);
  if (answer.outcome !== 'found' || answer.accountName === null) throw nameEnquiryUnavailable();
  return { bankCode: bank.code, bankName: bank.name, accountNumber, accountName: answer.accountName };
}
