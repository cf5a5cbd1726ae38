import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Compass, RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState } from '../components/states.tsx';
import { leaveSupportView } from '../components/support-view-pages.ts';

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
  if (error instanceof ApiError && error.code === 'SUPPORT_VIEW_ENDED') return <SupportViewEnded />;
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

/** Of a page that was left open, or loaded again afterwards. */
function SupportViewEnded() {
  return (
    <Alert
      tone="warn"
      title="This support view has ended."
      action={
        <Button size="small" onClick={leaveSupportView}>
          Back to the desk
        </Button>
      }
    >
      Open another from the page of the merchant, with a reason.
    </Alert>
  );
}

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={Compass}
        title="There is nothing at this address"
        action={<ButtonLink to="/">Go home</ButtonLink>}
      >
        It may have been mistyped, or the page may have been removed.
      </EmptyState>
    </>
  );
}
