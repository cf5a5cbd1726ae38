import { requireAccountOwner } from '../bank-directory/index.ts';
import type { Banks } from '../banks/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';
import { atField, bankUnknown } from './errors.ts';
import { readReviewState, requireOpen } from './review-state.ts';
import { saveStep } from './save-step.ts';
import type { SettlementAccount } from './schemas.ts';

export interface SettlementDeps {
  database: Database;
  clock: Clock;
  banks: Banks;
  rails: { listRails(tenant: Tenant): Promise<readonly RailCaller[]> };
}

/** `PARTIAL`: bank or number is still to come. `UNVERIFIED`: no bank said whose account it is. */
export type Verification = 'VERIFIED' | 'UNVERIFIED' | 'PARTIAL';

/**
 * Keeps the account that settlements go to, with the name that its bank gives, asked in the mode of the person. Where no
 * bank can be asked it is kept unverified, which the operator sees.
 * @throws AppError 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, each at its field; as `saveStep`.
 */
export async function saveSettlementAccount(
  deps: SettlementDeps,
  tenant: Tenant,
  body: SettlementAccount,
): Promise<Verification> {
  const merchant = await requireMerchant(deps.database, tenant.merchantId);
  requireOpen(merchant);
  const { details } = (await readReviewState(deps.database, merchant)).given;
  const bankCode = body.bankCode ?? details.settlementBankCode ?? '';
  const accountNumber = body.accountNumber ?? details.settlementAccountNumber ?? '';
  const bankName = bankCode === '' ? '' : await requireBankName(deps.banks, bankCode);
  const isWhole = bankCode !== '' && accountNumber !== '';
  const accountName = isWhole ? await askBank(deps, tenant, bankCode, accountNumber) : undefined;
  const account = {
    settlementBankCode: bankCode,
    settlementBankName: bankName,
    settlementAccountNumber: accountNumber,
    settlementAccountName: accountName ?? '',
    settlementVerifiedIn: accountName === undefined ? '' : tenant.mode,
  };
  await saveStep(deps, tenant.merchantId, { merchant: {}, details: account });
  if (!isWhole) return 'PARTIAL';
  return accountName === undefined ? 'UNVERIFIED' : 'VERIFIED';
}

async function requireBankName(banks: Banks, bankCode: string): Promise<string> {
  const bank = await banks.findBank(bankCode);
  if (bank === undefined || !bank.active) throw bankUnknown(bankCode);
  return bank.name;
}

/** Undefined where nobody could say, which does not mean that there is no such account. */
async function askBank(
  deps: SettlementDeps,
  tenant: Tenant,
  bankCode: string,
  accountNumber: string,
): Promise<string | undefined> {
  try {
    const [rail] = await deps.rails.listRails(tenant);
    if (rail === undefined) return undefined;
    const question = { tenant, bankCode, accountNumber, scenario: undefined };
    return (await requireAccountOwner({ banks: deps.banks, rail }, question)).accountName;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind === 'unavailable') return undefined;
    throw error.code === 'ACCOUNT_NOT_FOUND' ? atField(error, 'accountNumber') : error;
  }
}
