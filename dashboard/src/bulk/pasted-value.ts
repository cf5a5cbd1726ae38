import { accountNumberOf } from '../format/accounts.ts';
import type { ItemField } from './item-fields.ts';

/** What is asked of a bank to find it by what was pasted. */
export interface KnownBank {
  code: string;
  nipCode: string | null;
  name: string;
  shortName: string;
}

const NINE_DIGITS = /^\d{9}$/;
/** A code that may have lost its leading zero. */
const SHORT_CODE = /^(?:\d{2}|\d{5})$/;
const NETWORK_DIGITS = 6;

/** What has one meaning is read as an upload reads it: a bank by its name, an account that lost its leading zero. */
export function pastedValue(field: ItemField, given: string, banks: readonly KnownBank[]): string {
  if (field === 'accountNumber') {
    const digits = accountNumberOf(given);
    return NINE_DIGITS.test(digits) ? `0${digits}` : digits;
  }
  return field === 'bankCode' ? bankCodeOf(given, banks) : given;
}

/** As it is given where no bank has it, or more than one could be meant: 23 is left of 023 and of 000023. */
function bankCodeOf(given: string, banks: readonly KnownBank[]): string {
  const wanted = given.toLowerCase();
  const called = banks.find(
    ({ code, nipCode, name, shortName }) =>
      code === given || nipCode === given || name.toLowerCase() === wanted || shortName.toLowerCase() === wanted,
  );
  if (called !== undefined || !SHORT_CODE.test(given)) return called?.code ?? given;
  const padded = `0${given}`;
  const own = banks.find(({ code, nipCode }) => code === padded || nipCode === padded);
  const onNetwork = banks.find(({ nipCode }) => nipCode === given.padStart(NETWORK_DIGITS, '0'));
  return own === undefined || (onNetwork !== undefined && onNetwork !== own) ? given : own.code;
}
