import { createFileRoute } from '@tanstack/react-router';
import { useAction } from '../api/action.ts';
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
  const isDead = token === undefined || confirm.error?.code === 'LINK_INVALID';

  async function go(): Promise<void> {
    if (token === undefined) return;
    try {
      await confirm.run({ body: { token } });
      await goOn();
    } catch {
      // Shown below, from the action.
    }
  }

  return (
    <PlainPage title="Confirm your e-mail address" about="One more click, and your account and sandbox are there.">
      {isDead || confirm.error !== undefined ? (
        <DeadLink {...(confirm.error === undefined ? {} : { message: confirm.error.message })}>
          {!isDead && (
            <Button look="primary" busy={confirm.isPending} onClick={() => void go()}>
              Try again
            </Button>
          )}
          <ButtonLink to="/sign-up">Open an account</ButtonLink>
          <ButtonLink to="/sign-in">Sign in</ButtonLink>
        </DeadLink>
      ) : (
        <Button look="primary" size="large" busy={confirm.isPending} onClick={() => void go()}>
          Confirm and begin
        </Button>
      )}
    </PlainPage>
  );
}
