import { type BankNumbering, expected, fieldsOf, textOf } from '../provider-answers.ts';
import type { ReportedFacts } from '../reported.ts';

/** A value that `JSON.stringify` writes as these very digits. ES2025; the compiler does not know it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** Whole kobo as a JSON number, whatever its size: it never becomes a float. */
export function wireAmount(amountMinor: bigint): object {
  return rawJSON(amountMinor.toString());
}

/**
 * What a transfer of Paystack says that it is. The answer to a send names its recipient by a number of Paystack's own, and
 * shows no account.
 */
export function reportedOf(data: Record<string, unknown>, banks: BankNumbering): ReportedFacts {
  const recipient = fieldsOf(data['recipient']);
  const details = fieldsOf(recipient?.['details']);
  return {
    railReference: expected(textOf(data['reference'])),
    amountMinor: expected(amountOf(data)),
    currency: expected(textOf(data['currency'])),
    accountNumber: recipient === undefined ? null : expected(textOf(details?.['account_number'])),
    bankCode: banks.ours(textOf(details?.['bank_code'])),
  };
}

/** `amount` of a transfer: whole kobo. Null where it is missing or not exact. */
export function amountOf(data: Record<string, unknown> | undefined): bigint | null {
  const amount = data?.['amount'];
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? BigInt(amount) : null;
}

/** The id that the beneficiary's bank can trace; Paystack has it once the network answered. */
export function sessionIdOf(data: Record<string, unknown> | undefined): string | null {
  const session = fieldsOf(data?.['session']);
  return textOf(session?.['id']) || null;
}
