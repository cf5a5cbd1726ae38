import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';

const KEY = ['explorer-key'];

/** A key of the sandbox and nothing else: what has another form is never sent. */
export const isSandboxKey = (text: string): boolean => /^[sp]k_test_[0-9A-Za-z]{20,120}$/.test(text);

export interface ExplorerKey {
  key: string | undefined;
  /** Makes a sandbox key of a day that may what the person may; the one before ends. @throws ApiError */
  make: () => Promise<void>;
  use: (key: string) => void;
  forget: () => void;
}

/**
 * The key that the explorer sends: in the memory of this page, in no storage and no address. It is forgotten with a
 * reload, and with everything else of a person who signs out.
 */
export function useExplorerKey(): ExplorerKey {
  const queries = useQueryClient();
  const { data } = useQuery<string | null>({
    queryKey: KEY,
    queryFn: () => null,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const use = (key: string) => void queries.setQueryData(KEY, key);
  return {
    key: data ?? undefined,
    use,
    forget: () => void queries.setQueryData(KEY, null),
    async make() {
      const { key } = await call('post', '/key/reference', {}, { mode: 'SANDBOX' });
      use(key);
    },
  };
}
