import { type Bank, type Banks, nubanWarning } from '../banks/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import { invalidField } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { isSandboxScenario, type RailCaller } from '../rails/index.ts';
import { accountNotFound, bankNotFound, nameEnquiryUnavailable, railNotConfigured } from './errors.ts';
import { resolvedAccountView } from './views.ts';

export interface OwnerQuestion {
  tenant: Tenant;
  /** The directory's code or the network's. */
  bankCode: string;
  accountNumber: string;
  /** Sandbox only. */
  scenario: string | null | undefined;
}

/**
 * Whose account it is, as the bank says: the one name enquiry of the service. A bank that does not say has not said
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

export interface ResolveAccountDeps {
  banks: Banks;
  /** The tenant's rails, first choice first; none where none is connected. */
  rails: { listRails(tenant: Tenant): Promise<readonly RailCaller[]> };
}

interface ResolveAccountInput {
  tenant: Tenant;
  bankCode: string;
  accountNumber: string;
  /** Sandbox only: how the sandbox bank shall behave. */
  scenario: string | undefined;
}

/**
 * Asks a bank whose account this is. The check digit only warns.
 * @throws AppError `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`; 503 `NAME_ENQUIRY_UNAVAILABLE` where the bank did not say,
 *   which does not mean that there is no such account; 503 `RAIL_NOT_CONFIGURED`
 */
export async function resolveAccount(deps: ResolveAccountDeps, input: ResolveAccountInput): Promise<Answer> {
  const { tenant, accountNumber } = input;
  const scenario = tenant.mode === 'SANDBOX' ? input.scenario : undefined;
  if (scenario !== undefined && !isSandboxScenario(scenario)) {
    throw invalidField('X-Sandbox-Scenario', `${scenario} is not a scenario of the sandbox.`);
  }
  const [rail] = await deps.rails.listRails(tenant);
  if (rail === undefined) throw railNotConfigured();
  const { banks } = deps;
  const { bank, accountName } = await requireAccountOwner({ banks, rail }, { ...input, scenario });
  return success('Success', resolvedAccountView(bank, accountNumber, accountName, nubanWarning(bank, accountNumber)));
}
