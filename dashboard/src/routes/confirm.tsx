import { createFileRoute } from '@tanstack/react-router';
import { useAction } from '../api/action.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { PlainPage } from '../shell/plain-page.tsx';
import { DeadLink } from '../sign-in/dead-link.tsx';
import { useLinkToken } from '../sign-in/link-token.ts';
import { useSignedIn } from '../sign-in/use-signed-in.ts';

export const Route = createFileRoute('/confirm')({ component: ConfirmPage });

/** A click and not the page's opening uses the link up: mail programs open links to look at them. */
function ConfirmPage() {
  const token = useLinkToken();
  const confirm = useAction('post', '/sign-up/confirm', { changes: [] });
  const goOn = useSignedIn();
  const isDead = token === undefined || OVER.has(confirm.error?.code ?? '');

  async function go(): Promise<void> {
    if (token === undefined) return;
    try {
      await confirm.run({ body: { token } });
      await goOn();
    } catch {
      // Shown below, from the action.
    }
  }

  if (isDead) {
    return (
      <PlainPage title="Confirm your address">
        <DeadLink {...(confirm.error === undefined ? {} : { message: LINK_IS_OVER })}>
          <ButtonLink to="/sign-in" look="primary">
            Sign in
          </ButtonLink>
          <ButtonLink to="/sign-up">Sign up again</ButtonLink>
        </DeadLink>
      </PlainPage>
    );
  }
  return (
    <PlainPage title="Confirm your address" about="One more click, and your account and sandbox are there.">
      <div className="flex flex-col items-start gap-5">
        {confirm.error !== undefined && <Alert tone="bad">{confirm.error.message}</Alert>}
        <Button look="primary" size="large" busy={confirm.isPending} onClick={() => void go()}>
          {confirm.error === undefined ? 'Confirm and begin' : 'Try again'}
        </Button>
      </div>
    </PlainPage>
  );
}

/** Of two mails to one address the first link makes the account. */
const OVER: ReadonlySet<string> = new Set(['LINK_INVALID', 'EMAIL_TAKEN']);

/** Nobody asks for such a link by itself, so the service's words would lead nowhere. */
const LINK_IS_OVER =
  'This link was used already, or is older than a day. If you have confirmed your address, sign in; if not, sign up again and you get a new link.';
