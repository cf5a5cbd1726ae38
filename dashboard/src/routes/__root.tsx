import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet, retainSearchParams } from '@tanstack/react-router';
import { SUPPORT_VIEW } from '../api/support-view.ts';
import { Toasts } from '../components/toast.tsx';
import { NotFoundPage, PageError } from '../shell/page-error.tsx';
import { Prompts } from '../shell/prompts.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

interface RootSearch {
  /** Absent in the sandbox. */
  mode?: 'live' | undefined;
  /** The support view that the pages are opened in. */
  support?: string | undefined;
}

export const Route = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: ({ mode, support }: Record<string, unknown>): RootSearch => ({
    ...(mode === 'live' ? { mode } : {}),
    ...(typeof support === 'string' && support === SUPPORT_VIEW ? { support } : {}),
  }),
  search: { middlewares: [retainSearchParams(['mode', 'support'])] },
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
