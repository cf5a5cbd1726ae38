import { requireAccountOwner } from '../bank-directory/index.ts';
import { type Bank, type Banks, couldBe, LOW_MATCH_BELOW, matchScore } from '../banks/index.ts';
import type { InboundPaymentRow } from '../collections/index.ts';
import { requireRail } from '../payouts/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RefundDeps } from './deps.ts';
import { refundAccountNeeded, refundAccountOfOthers } from './errors.ts';

export interface GivenAccount {
  bankCode: string;
  accountNumber: string;
}

export interface PayerAccount extends GivenAccount {
  accountName: string;
}

type Payer = Pick<InboundPaymentRow, 'payer_name' | 'payer_account_number' | 'payer_bank_name'>;

/**
 * The account to which a payment goes back: the one that it came from, or another one in the payer's name. A refund
 * never pays anybody else.
 * @throws AppError 422 `REFUND_ACCOUNT_NEEDED`, `REFUND_ACCOUNT_OF_OTHERS`; as `requireAccountOwner` and `requireRail`.
 */
export async function requirePayerAccount(
  deps: Pick<RefundDeps, 'banks' | 'rails'>,
  tenant: Tenant,
  payer: Payer,
  given: GivenAccount | undefined,
): Promise<PayerAccount> {
  const known = await knownAccount(deps.banks, payer);
  const asked = given ?? known;
  if (asked === undefined) throw refundAccountNeeded();
  const rail = await requireRail(deps.rails, tenant);
  const owner = await requireAccountOwner({ banks: deps.banks, rail }, { tenant, ...asked, scenario: undefined });
  const account = { bankCode: owner.bank.code, accountNumber: asked.accountNumber, accountName: owner.accountName };
  const isWhence = known?.accountNumber === account.accountNumber && known.bankCode === account.bankCode;
  const { payer_name: payerName } = payer;
  if (!isWhence && payerName !== null && matchScore(payerName, account.accountName) < LOW_MATCH_BELOW) {
    throw refundAccountOfOthers(account.accountName, payerName);
  }
  return account;
}

/** Where the payment came from; undefined where the provider does not say it whole, or calls the bank what not just one is called. */
async function knownAccount(banks: Banks, payer: Payer): Promise<GivenAccount | undefined> {
  const { payer_account_number: accountNumber, payer_bank_name: bankName } = payer;
  if (accountNumber === null || bankName === null || !/^\d{10}$/.test(accountNumber)) return undefined;
  const fits = couldBe(bankName);
  const called = (await banks.listBanks()).filter((one) => one.active && fits(one) && isCalled(one, bankName));
  const [bank] = called;
  return bank !== undefined && called.length === 1 ? { bankCode: bank.code, accountNumber } : undefined;
}

const plain = (name: string) =>
  name
    .toUpperCase()
    .replaceAll(/\b(PLC|LTD|LIMITED|NIGERIA|NIG|MFB)\b/g, '')
    .replaceAll(/[^A-Z0-9]/g, '');

function isCalled({ name, shortName }: Bank, bankName: string): boolean {
  return [name, shortName].some((one) => plain(one) === plain(bankName));
}
