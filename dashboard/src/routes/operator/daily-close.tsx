import { createFileRoute } from '@tanstack/react-router';
import type { Mode } from '../../api/types.ts';
import { ClosePage } from '../../daily-close/close-page.tsx';

interface CloseSearch {
  books?: Mode | undefined;
  day?: string | undefined;
}

export const Route = createFileRoute('/operator/daily-close')({
  validateSearch: ({ books, day }: Record<string, unknown>): CloseSearch => ({
    ...(books === 'SANDBOX' && { books }),
    ...(typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && { day }),
  }),
  component: DailyClose,
});

function DailyClose() {
  const { books = 'LIVE', day } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ClosePage
      mode={books}
      day={day}
      onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
