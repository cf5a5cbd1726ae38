import { createProblems, kindOf } from '../platform/problem.ts';

/** What was noticed about a manual credit. None of it keeps anybody from approving: two people look and decide. */
const MANUAL_CREDIT_PROBLEMS = {
  SAME_AMOUNT_SAME_DAY: kindOf<{ manualCreditId: string; status: string; bankReference: string }>(
    'amount',
    ({ bankReference, status }) =>
      `Another credit of this amount to this wallet on this day, reference ${bankReference}, is ${status}.`,
  ),
  SAME_REFERENCE: kindOf<{ manualCreditId: string; bankCode: string }>(
    'bankReference',
    ({ bankCode }) =>
      `Another credit has this reference at another bank, ${bankCode}. Was one of the two banks mistaken?`,
  ),
  SAME_DOCUMENT: kindOf<{ manualCreditId: string; status: string; bankReference: string }>(
    'file',
    ({ bankReference, status }) =>
      `The same document is with another credit of this merchant, reference ${bankReference}, which is ${status}.`,
  ),
  MERCHANT_SUSPENDED: kindOf(
    'merchantId',
    () => 'This merchant is suspended. The money is credited to it, and does not leave while it is suspended.',
  ),
};

const catalogue = createProblems(MANUAL_CREDIT_PROBLEMS);
export const manualCreditProblem = catalogue.problem;
export const shownProblem = catalogue.shown;
