import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { ApiError } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { ErrorState } from '../components/states.tsx';

const PART_MISSING = 'A part of the dashboard could not be fetched.';

/** Errors of a script that did not come, whatever their words. */
const partsMissing = new WeakSet<object>();

/**
 * The scripts of a page come when one goes there. Where they do not, the router would load everything again, which without
 * a line ends on an error page of the browser's; what it looks for in the error is replaced by words.
 */
export function sayWhatIsMissing(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = PART_MISSING;
    partsMissing.add(payload);
  });
}

/** Instead of a page that could not be shown; the frame around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const missing = error instanceof Error && partsMissing.has(error);
  useReloadOnline(missing);
  if (error instanceof ApiError && error.code === 'SUPPORT_VIEW_ENDED') {
    return (
      <Suspense>
        <SupportViewEnded />
      </Suspense>
    );
  }
  if (error instanceof ApiError) {
    const again = () => router.invalidate().then(reset);
    return <ErrorState error={error} onRetry={again} />;
  }
  return (
    <Alert
      tone="bad"
      title={missing ? PART_MISSING : 'This page could not be shown.'}
      action={
        <Button size="small" icon={RotateCw} onClick={() => location.reload()}>
          Reload the page
        </Button>
      }
    >
      {missing
        ? 'The connection may be down, or there is a newer version of the dashboard.'
        : 'Something in it is broken. Nothing was changed.'}
    </Alert>
  );
}

/** Nothing was typed into a page that is not there. What answers nothing yet is left to the button. */
function useReloadOnline(missing: boolean): void {
  useEffect(() => {
    if (!missing) return;
    const look = () =>
      void fetch(location.href, { method: 'HEAD' }).then(
        () => location.reload(),
        () => undefined,
      );
    window.addEventListener('online', look);
    return () => window.removeEventListener('online', look);
  }, [missing]);
}

/** What hardly anybody comes to is loaded by who does. */
const SupportViewEnded = lazy(() => import('./rare-pages.tsx').then((part) => ({ default: part.SupportViewEnded })));
const NotFound = lazy(() => import('./rare-pages.tsx').then((part) => ({ default: part.NotFound })));

export function NotFoundPage() {
  return (
    <Suspense>
      <NotFound />
    </Suspense>
  );
}
