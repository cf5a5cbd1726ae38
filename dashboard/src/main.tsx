import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onStaleToken } from './api/call.ts';
import { shouldRetry } from './api/reads.ts';
import { hasBegunAnew, renewSession } from './api/session.ts';
import { PageSkeleton } from './components/states.tsx';
import { applyTheme } from './components/theme.ts';
import { toast } from './components/toast.tsx';
import { routeTree } from './route-tree.gen.ts';
import { NotFoundPage, PageError, sayWhatIsMissing } from './shell/page-error.tsx';
import './styles.css';

const queries = new QueryClient({
  defaultOptions: {
    // Without a line a read fails and says so, instead of waiting in silence; with the line back it is made again.
    queries: { staleTime: 10_000, retry: shouldRetry, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false },
  },
});
onStaleToken(() => renewSession(queries));
applyTheme();
sayWhatIsMissing();
if (hasBegunAnew())
  toast({ tone: 'warn', text: 'Somebody else has signed in on this browser. Nothing was sent as them.' });

const router = createRouter({
  routeTree,
  basepath: import.meta.env.BASE_URL,
  context: { queries },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
