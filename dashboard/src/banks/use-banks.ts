import { useMemo } from 'react';
import { useRead } from '../api/reads.ts';
import type { Option } from '../components/combobox.tsx';

/** The directory changes a few times a year. */
const KEPT_MS = 60 * 60 * 1000;

/** The banks that payouts go to, as choices: found by name, short name or code. */
export function useBankOptions(): { options: readonly Option[]; isLoading: boolean; error: unknown } {
  const banks = useRead('/bank', {}, { staleTime: KEPT_MS });
  const records = banks.data?.records;
  const options = useMemo(
    () =>
      (records ?? []).map(({ code, name, shortName }) => ({
        value: code,
        label: name,
        detail: shortName === name ? code : `${shortName} · ${code}`,
      })),
    [records],
  );
  return { options, isLoading: banks.isLoading, error: banks.error };
}
