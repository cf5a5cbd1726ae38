import { type Bank, type Banks, nubanWarning } from '../banks/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import type { ListIdentity, ListRequest } from '../platform/lists/list.ts';
import { listView, readArray } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { RAIL_ERRORS } from '../rail-accounts/index.ts';
import { isSandboxScenario, type RailCaller } from '../rails/index.ts';

/** What a request may be refused with that asks a bank for the name on an account. */
export const NAME_ENQUIRY_ERRORS = [
  'BANK_NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
  'NAME_ENQUIRY_UNAVAILABLE',
  ...RAIL_ERRORS,
] as const;

const bankNotFound = (code: string) =>
  new AppError('refused', 'BANK_NOT_FOUND', `There is no bank with the code ${code} that takes payouts.`);

const accountNotFound = (accountNumber: string, bankName: string) =>
  new AppError('refused', 'ACCOUNT_NOT_FOUND', `${bankName} has no account ${accountNumber}.`);

const nameEnquiryUnavailable = (bankName: string) =>
  new AppError(
    'unavailable',
    'NAME_ENQUIRY_UNAVAILABLE',
    `${bankName} did not say whose account this is. Please try again shortly.`,
    { retryAfterSeconds: 5 },
  );

const railNotConfigured = () =>
  new AppError(
    'unavailable',
    'RAIL_NOT_CONFIGURED',
    'There is no connection to a bank in this mode yet. Please contact support.',
  );

function bankView(bank: Bank) {
  return { code: bank.code, name: bank.name, shortName: bank.shortName, nipCode: bank.nipCode, kind: bank.kind };
}

/** Whose account it is, as its bank says; `warning` when the number does not look like one of that bank. */
function resolvedAccountView(bank: Bank, accountNumber: string, accountName: string, warning: string | undefined) {
  return { accountName, accountNumber, bankCode: bank.code, bankName: bank.name, warning: warning ?? null };
}

const bankList = (search: string): ListIdentity<Bank> => ({
  name: 'banks',
  of: [search],
  // The directory is in memory, by name: the place of a bank in it is found by its code.
  order: { direction: 'asc', keys: [{ sql: 'code', type: 'text', of: ({ code }) => code }] },
});

/**
 * The active banks by name; `search` looks in names and codes.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function listBanks(banks: Banks, search: string | undefined, request: ListRequest) {
  const wanted = search?.trim().toLowerCase() ?? '';
  const matches = (bank: Bank) => {
    const texts = [bank.name, bank.shortName, bank.code, bank.nipCode ?? ''];
    return texts.some((text) => text.toLowerCase().includes(wanted));
  };
  return listView(readArray(bankList(wanted), await banks.listBanks(), matches, request), bankView);
}

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
    throw invalidField('X-Sandbox-Scenario', `names no scenario of the sandbox: ${scenario}`);
  }
  const [rail] = await deps.rails.listRails(tenant);
  if (rail === undefined) throw railNotConfigured();
  const { banks } = deps;
  const { bank, accountName } = await requireAccountOwner({ banks, rail }, { ...input, scenario });
  return success('Success', resolvedAccountView(bank, accountNumber, accountName, nubanWarning(bank, accountNumber)));
}
