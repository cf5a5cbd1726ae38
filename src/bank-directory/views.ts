import type { Bank } from '../banks/index.ts';

export function bankView(bank: Bank) {
  return { code: bank.code, name: bank.name, shortName: bank.shortName, nipCode: bank.nipCode, kind: bank.kind };
}

/** Whose account it is, as its bank says; `warning` when the number does not look like one of that bank. */
export function resolvedAccountView(
  bank: Bank,
  accountNumber: string,
  accountName: string,
  warning: string | undefined,
) {
  return { accountName, accountNumber, bankCode: bank.code, bankName: bank.name, warning: warning ?? null };
}
