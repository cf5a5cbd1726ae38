import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet, retainSearchParams } from '@tanstack/react-router';
import { Toasts } from '../components/toast.tsx';
import { NotFoundPage, PageError } from '../shell/page-error.tsx';
import { Prompts } from '../shell/prompts.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

interface RootSearch {
  /** Absent in the sandbox. */
  mode?: 'live' | undefined;
}

export const Route = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: (raw: Record<string, unknown>): RootSearch => (raw['mode'] === 'live' ? { mode: 'live' } : {}),
  search: { middlewares: [retainSearchParams(['mode'])] },
  component: RootPage,
  notFoundComponent: () => (
    <main className="mx-auto max-w-2xl px-4 py-16">
      <NotFoundPage />
    </main>
  ),
  errorComponent: (failed) => (
    <PlainPage title="Something went wrong">
      <PageError {...failed} />
    </PlainPage>
  ),
});

function RootPage() {
  return (
    <>
      <Outlet />
      <Prompts />
      <Toasts />
    </>
  );
}
