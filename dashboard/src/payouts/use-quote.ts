import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { keyOf } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import type { Purpose } from './purposes.ts';

const PAUSE_MS = 250;

/** What a payout of this amount would cost, once the typing pauses. */
export function useQuote(amount: number | undefined, purpose: Purpose) {
  const mode = useMode();
  const settled = useSettled(amount);
  const body = { amount: settled ?? 0, purpose };
  const quote = useQuery({
    queryKey: keyOf(mode, '/payout/quote', body),
    queryFn: ({ signal }) => call('post', '/payout/quote', { body }, { mode, signal }),
    enabled: settled !== undefined && settled > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return {
    quote: amount === undefined ? undefined : quote.data,
    isOld: amount !== settled || quote.isPlaceholderData,
    error: quote.error,
  };
}

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
