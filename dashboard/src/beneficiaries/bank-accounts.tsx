import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { call } from '../api/call.ts';
import { type ApiError, messageOf } from '../api/errors.ts';
import { keyOf, shouldRetry, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import type { Option } from '../components/combobox.tsx';
import { accountNumberOf, isWholeAccount } from '../format/accounts.ts';

/** The directory changes a few times a year. */
const DIRECTORY_KEPT_MS = 60 * 60 * 1000;

/** The banks that payouts go to, as choices: found by name, short name or code. */
export function useBankOptions() {
  const banks = useRead('/bank', {}, { staleTime: DIRECTORY_KEPT_MS });
  const records = banks.data?.records;
  const options = useMemo(
    (): readonly Option[] =>
      (records ?? []).map(({ code, name, shortName }) => ({
        value: code,
        label: name,
        detail: shortName === name ? code : `${shortName} · ${code}`,
      })),
    [records],
  );
  return { banks: records ?? [], options, isLoading: banks.isLoading, error: banks.error };
}

export type AccountOwner = Data<'post', '/bank/resolve'>;

/** Banks do not rename people while a form is filled in. */
const OWNER_KEPT_MS = 5 * 60 * 1000;

/** Asks the bank whose account it is as soon as there is a bank and a whole number. It moves nothing. */
export function useAccountOwner(bankCode: string, accountNumber: string) {
  const mode = useMode();
  const may = useMay()('bank:resolve', mode);
  const body = { bankCode, accountNumber: accountNumberOf(accountNumber) };
  return useQuery<AccountOwner, ApiError>({
    queryKey: keyOf(mode, '/bank/resolve', body),
    queryFn: ({ signal }) => call('post', '/bank/resolve', { body }, { mode, signal }),
    enabled: may && bankCode !== '' && isWholeAccount(body.accountNumber),
    staleTime: OWNER_KEPT_MS,
    retry: shouldRetry,
  });
}

/** What the bank says, under the account number; the place is kept, so nothing jumps. It never stands in the way. */
export function AccountName({ owner }: { owner: ReturnType<typeof useAccountOwner> }) {
  return (
    <div role="status" className="flex min-h-11 items-start gap-2 text-sm">
      {owner.data !== undefined ? (
        <>
          <BadgeCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
          <p>
            <span className="font-semibold">{owner.data.accountName}</span>{' '}
            <span className="text-muted">at {owner.data.bankName}</span>
            {owner.data.warning !== null && <span className="block text-xs text-warn">{owner.data.warning}</span>}
          </p>
        </>
      ) : owner.isFetching ? (
        <>
          <LoaderCircle className="mt-0.5 size-4 animate-spin text-muted" aria-hidden />
          <p className="text-muted">Checking the account name with the bank…</p>
        </>
      ) : owner.error !== null ? (
        <>
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
          <p>{messageOf(owner.error)}</p>
        </>
      ) : (
        <p className="text-muted">The name on the account appears here.</p>
      )}
    </div>
  );
}
