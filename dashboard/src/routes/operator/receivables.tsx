import { createFileRoute } from '@tanstack/react-router';
import { nowDate } from '../../api/clock.ts';
import { daysIn } from '../../api/list-search.ts';
import type { Mode } from '../../api/types.ts';
import { ReceivablesPage } from '../../daily-close/receivables-page.tsx';
import type { Period } from '../../format/period.ts';
import { DAY_MS, lagosDay, startOfLagosDay } from '../../format/time.ts';

interface ReceivablesSearch extends Period {
  books?: Mode | undefined;
}

const weekBefore = (day: string): string => lagosDay(new Date(Date.parse(startOfLagosDay(day)) - 7 * DAY_MS));

export const Route = createFileRoute('/operator/receivables')({
  validateSearch: (raw: Record<string, unknown>): ReceivablesSearch => ({
    ...(raw['books'] === 'SANDBOX' && { books: 'SANDBOX' }),
    ...daysIn(raw),
  }),
  component: Receivables,
});

function Receivables() {
  const { books = 'LIVE', to = lagosDay(nowDate()), from = weekBefore(to) } = Route.useSearch();
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
