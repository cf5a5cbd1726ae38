import { createFileRoute, Link } from '@tanstack/react-router';
import { hasSessionEnded } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';
import { SignInForm, useSignedIn } from '../sign-in/sign-in-form.tsx';

export const Route = createFileRoute('/sign-in')({
  validateSearch: ({ next }: Record<string, unknown>): { next?: string | undefined } => ({
    next: isOurs(next) ? next : undefined,
  }),
  component: SignInPage,
});

/** Only a page of ours is gone back to: a link from elsewhere must not send people elsewhere after signing in. */
function isOurs(next: unknown): next is string {
  return typeof next === 'string' && next.startsWith(import.meta.env.BASE_URL);
}

function SignInPage() {
  const { next } = Route.useSearch();
  const goOn = useSignedIn();
  return (
    <PlainPage
      title="Sign in"
      foot={
        <p>
          New here?{' '}
          <Link to="/sign-up" className="font-medium text-accent underline">
            Open an account
          </Link>
        </p>
      }
    >
      {next !== undefined && hasSessionEnded() && (
        <Alert tone="info" className="mb-5">
          Your session has ended. Sign in again, and you come to the page that you opened.
        </Alert>
      )}
      <SignInForm onSignedIn={() => goOn(next)} />
      <p className="mt-5 text-sm">
        <Link to="/forgot" className="text-accent underline">
          Forgot your password?
        </Link>
      </p>
    </PlainPage>
  );
}
