import { createFileRoute } from '@tanstack/react-router';
import { nowMs } from '../../api/clock.ts';
import type { Mode } from '../../api/types.ts';
import { ReceivablesPage } from '../../daily-close/receivables-page.tsx';
import { lagosDay } from '../../format/time.ts';

interface ReceivablesSearch {
  books?: Mode | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const WEEK_MS = 7 * 24 * 60 * 60_000;

export const Route = createFileRoute('/operator/receivables')({
  validateSearch: ({ books, from, to }: Record<string, unknown>): ReceivablesSearch => ({
    ...(books === 'SANDBOX' && { books }),
    ...(typeof from === 'string' && DAY.test(from) && { from }),
    ...(typeof to === 'string' && DAY.test(to) && { to }),
  }),
  component: Receivables,
});

function Receivables() {
  const now = nowMs();
  const { books = 'LIVE', from = lagosDay(new Date(now - WEEK_MS)), to = lagosDay(new Date(now)) } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ReceivablesPage
      mode={books}
      from={from}
      to={to}
      onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
