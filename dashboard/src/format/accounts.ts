/** What people and other programs put between the digits of a number: spaces of any width, dashes, and what nobody sees. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]/gu;
const WHOLE = /^\d{10}$/;

/** Longer than an account number with whatever stands between its digits: what is pasted is not cut. */
export const MAX_ACCOUNT_TEXT = 40;

/**
 * An account number as people type and paste it, in the form of the API: `0123 456-785` is `0123456785`. A text with
 * anything else in it stays as it is, so that the person who typed it sees it.
 */
export function accountNumberOf(typed: string): string {
  const digits = typed.replaceAll(BETWEEN, '');
  return /^\d+$/.test(digits) ? digits : typed.trim();
}

/** Whether it has all its digits. */
export const isWholeAccount = (typed: string): boolean => WHOLE.test(accountNumberOf(typed));

/** For the rules of a field. */
export function complainAboutAccount(typed: string): string | undefined {
  if (typed.trim() === '') return 'Enter the account number.';
  return isWholeAccount(typed) ? undefined : 'An account number has ten digits.';
}
