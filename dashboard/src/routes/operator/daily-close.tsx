import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Mode } from '../../api/types.ts';
import { ClosePage } from '../../daily-close/close-page.tsx';

const JournalNamesPage = lazy(() =>
  import('../../daily-close/journal-names-page.tsx').then((part) => ({ default: part.JournalNamesPage })),
);

interface CloseSearch {
  books?: Mode | undefined;
  day?: string | undefined;
  /** The names of accounts in journals instead of a day. */
  names?: true | undefined;
}

export const Route = createFileRoute('/operator/daily-close')({
  validateSearch: ({ books, day, names }: Record<string, unknown>): CloseSearch => ({
    ...(books === 'SANDBOX' && { books }),
    ...(names === true && { names }),
    ...(typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && { day }),
  }),
  component: DailyClose,
});

function DailyClose() {
  const { books = 'LIVE', day, names } = Route.useSearch();
  const navigate = Route.useNavigate();
  if (names) {
    return (
      <Suspense>
        <JournalNamesPage />
      </Suspense>
    );
  }
  return (
    <ClosePage
      mode={books}
      day={day}
      onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
