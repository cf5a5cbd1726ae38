import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { PayoutDraft } from './payout-draft.ts';

export interface KeptDraft {
  /** What was typed at this place of the browser's history and is not paid. */
  read(): PayoutDraft | undefined;
  keep(draft: PayoutDraft): void;
  /** It is paid: who goes back finds an empty form. */
  forget(): void;
}

/**
 * Who looks something up on another page and goes back finds the form as it was left. It is in the memory of the tab, by
 * the place that it was typed at, and goes with everything else of a person who signs out.
 */
export function useKeptDraft(): KeptDraft {
  const queries = useQueryClient();
  const place = useLocation({ select: ({ state }) => state.__TSR_key });
  return useMemo(() => {
    const key = ['payout-draft', place];
    return {
      read: () => queries.getQueryData<PayoutDraft>(key),
      keep: (draft) => {
        queries.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
        queries.setQueryData(key, draft);
      },
      forget: () => queries.removeQueries({ queryKey: key }),
    };
  }, [queries, place]);
}
