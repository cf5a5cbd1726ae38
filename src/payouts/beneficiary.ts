import { type OwnerQuestion, requireAccountOwner } from '../bank-directory/index.ts';
import type { Banks } from '../banks/index.ts';
import type { RailCaller } from '../rails/index.ts';

/** An account that a bank has confirmed. `bankCode` is the directory's own code, whichever of the two was sent. */
export interface Beneficiary {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
}

/** Who is to be paid, by the bank's own word. @throws AppError as `requireAccountOwner`. */
export async function requireBeneficiary(
  deps: { banks: Banks; rail: RailCaller },
  question: OwnerQuestion,
): Promise<Beneficiary> {
  const { bank, accountName } = await requireAccountOwner(deps, question);
  return { bankCode: bank.code, bankName: bank.name, accountNumber: question.accountNumber, accountName };
}
