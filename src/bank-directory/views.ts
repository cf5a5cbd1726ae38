import type { Bank, Banks } from '../banks/index.ts';
import type { ListIdentity, ListRequest } from '../platform/lists/list.ts';
import { listView, readArray } from '../platform/lists/read-list.ts';

function bankView(bank: Bank) {
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
