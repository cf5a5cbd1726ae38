import type { Bank } from '../banks/index.ts';
import { LOW_MATCH_BELOW, matchScore } from '../banks/index.ts';
import { readPayoutLimit } from '../limits/index.ts';
import { type PayoutDeps, requireChosenRail } from '../payouts/index.ts';
import type { ProblemData } from '../platform/problem.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { RAIL_UNAVAILABLE, type RailCaller } from '../rails/index.ts';
import { isUnread, itemProblem, keptProblems, problemsText } from './problems.ts';
import type { BatchRow, ItemRow } from './queries.ts';

/**
 * No instant transfer is larger: this is the central bank's highest limit, for companies with an indemnity. Anything
 * above it is a typing error. The operator's own limit is mostly lower.
 */
const MAX_AMOUNT_MINOR = 250_000_000_00n;
const MAX_NARRATION = 100;
/** Reasons of answers for which the rail was not asked at all. */
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
  | 'item_warnings'
>;

export type ItemCheck = Pick<
  ItemRow,
  'account_name' | 'bank_name' | 'match_score' | 'is_valid' | 'item_errors' | 'item_warnings' | 'directory_bank_code'
>;

/**
 * `silent`: the rail did not answer, and the same question may have an answer in a moment. `down`: the rail is not
 * asked either.
 */
export type Checked = { check: ItemCheck; silent: false } | { check: ItemCheck; silent: true; down: boolean };

/** The rail and the scenario of a batch, and the largest amount of one of its items. */
export interface CheckContext {
  tenant: Tenant;
  scenario: string | null;
  rail: RailCaller;
  maxAmountMinor: bigint;
}

/** @throws AppError 503 `RAIL_NOT_CONFIGURED` */
export async function openCheck(deps: PayoutDeps, batch: BatchRow): Promise<CheckContext> {
  const tenant = tenantOf(batch);
  const [rail, maxAmountMinor] = await Promise.all([
    requireChosenRail(deps.rails, tenant),
    readMaxAmount(deps, tenant),
  ]);
  return { tenant, scenario: batch.scenario, rail, maxAmountMinor };
}

/** The largest amount of an item, in kobo. */
export async function readMaxAmount(deps: PayoutDeps, tenant: Tenant): Promise<bigint> {
  const { perPayoutMinor } = await readPayoutLimit(deps, tenant);
  return perPayoutMinor !== null && perPayoutMinor < MAX_AMOUNT_MINOR ? perPayoutMinor : MAX_AMOUNT_MINOR;
}

/**
 * Checks whether an item can be paid. It reports all problems at once, and asks the bank for the name only where the
 * rest is right. A name unlike the given one is a warning: people marry, and banks shorten names.
 */
export async function checkItem(deps: PayoutDeps, context: CheckContext, item: ItemFacts): Promise<Checked> {
  const bank = await deps.banks.findBank(item.bank_code);
  const complaints = complaintsOf(item, bank, context.maxAmountMinor);
  if (bank === undefined || complaints.length > 0) {
    return { check: invalid(item, bank, complaints), silent: false };
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
    const missing = { bankName: bank.name, accountNumber: item.account_number };
    return { check: invalid(item, bank, [itemProblem('ACCOUNT_NOT_FOUND', missing)]), silent: false };
  }
  const check = invalid(item, bank, [itemProblem('ACCOUNT_OWNER_UNKNOWN', { bankName: bank.name })]);
  // An answer with a code is final: the bank cannot say. Without a code, nobody answered.
  return answer.code === null ? { check, silent: true, down: NOT_ASKED.has(answer.reason) } : { check, silent: false };
}

function valid(item: ItemFacts, bank: Bank, accountName: string): ItemCheck {
  const { given_name } = item;
  const match_score = given_name === null ? null : matchScore(given_name, accountName);
  const differs =
    given_name !== null && match_score !== null && match_score < LOW_MATCH_BELOW
      ? [itemProblem('NAME_DIFFERS', { bankName: bank.name, accountName, givenName: given_name })]
      : [];
  return {
    account_name: accountName,
    bank_name: bank.name,
    match_score,
    is_valid: true,
    item_errors: null,
    directory_bank_code: bank.code === item.bank_code ? null : bank.code,
    item_warnings: problemsText([...keptProblems(item.item_warnings), ...differs]),
  };
}

function invalid(item: ItemFacts, bank: Bank | undefined, errors: readonly ProblemData[]): ItemCheck {
  return {
    account_name: null,
    bank_name: bank?.name ?? null,
    match_score: null,
    is_valid: false,
    item_errors: problemsText(errors),
    directory_bank_code: null,
    item_warnings: item.item_warnings,
  };
}

/** The warnings of an item that do not come from the bank's answer: kept when the item is checked again. */
export function withoutMatchWarning(warnings: string | null): ProblemData[] {
  return keptProblems(warnings).filter(({ code }) => code !== 'NAME_DIFFERS');
}

/** The problems of an item that are known without asking its bank. */
export function complaintsOf(
  item: Pick<
    ItemFacts,
    'amount_minor' | 'given_amount' | 'bank_code' | 'account_number' | 'narration' | 'phone_number' | 'item_warnings'
  >,
  bank: Bank | undefined,
  maxAmountMinor: bigint,
): ProblemData[] {
  const unread = keptProblems(item.item_warnings).filter(isUnread);
  const found: ProblemData[] = [];
  if (item.amount_minor === 0n && item.given_amount !== null) {
    found.push(itemProblem('AMOUNT_NOT_WHOLE_NAIRA', { given: item.given_amount }));
  } else if (item.amount_minor <= 0n) found.push(itemProblem('AMOUNT_NOT_POSITIVE', {}));
  if (item.amount_minor > maxAmountMinor) {
    found.push(itemProblem('AMOUNT_TOO_LARGE', { maximumMinor: String(maxAmountMinor) }));
  }
  if (!/^\d{10}$/.test(item.account_number)) found.push(itemProblem('ACCOUNT_NUMBER_NOT_TEN_DIGITS', {}));
  if (item.narration === '') found.push(itemProblem('NARRATION_MISSING', {}));
  if (item.narration.length > MAX_NARRATION) found.push(itemProblem('NARRATION_TOO_LONG', { maximum: MAX_NARRATION }));
  if (item.phone_number !== null && !/^\+?\d{7,15}$/.test(item.phone_number)) {
    found.push(itemProblem('PHONE_NUMBER_INVALID', {}));
  }
  if (bank === undefined) found.push(itemProblem('BANK_NOT_FOUND', { bankCode: item.bank_code }));
  else if (!bank.active) found.push(itemProblem('BANK_TAKES_NO_PAYOUTS', { bankName: bank.name }));
  // A cell that could not be read is reported once; problems that follow from it are left out.
  const known = new Set(unread.map(({ field }) => field ?? 'amount'));
  return [...unread, ...found.filter(({ field }) => field === null || !known.has(field))];
}
