import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { ButtonLink } from '../components/button.tsx';
import { Skeleton } from '../components/states.tsx';
import { OpenAccountForm } from '../sign-in/account-forms.tsx';
import { DeadLink, useMailedLink } from '../sign-in/mailed-link.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

export const Route = createFileRoute('/confirm')({ component: ConfirmPage });

const TITLE = 'Open your account';

function ConfirmPage() {
  const look = useAction('post', '/sign-up/look', { changes: [] });
  const { token, found } = useMailedLink((mailed) => look.run({ body: { token: mailed } }));
  const [isDead, setIsDead] = useState(false);

  if (token === undefined || isDead || look.error !== undefined) {
    return (
      <PlainPage title={TITLE}>
        <DeadLink {...(token === undefined ? {} : { message: messageOf(look.error) })}>
          <ButtonLink to="/sign-in" look="primary">
            Sign in
          </ButtonLink>
          <ButtonLink to="/sign-up">Sign up again</ButtonLink>
        </DeadLink>
      </PlainPage>
    );
  }
  if (found === undefined) {
    return (
      <PlainPage title={TITLE}>
        <Skeleton className="h-64" />
      </PlainPage>
    );
  }
  return <OpenAccountForm token={token} email={found.email} onDead={() => setIsDead(true)} />;
}

/** Nobody asks for such a link by itself, so the service's words would lead nowhere. */
function messageOf(error: { code: string; message: string } | undefined): string {
  return error === undefined || error.code === 'LINK_INVALID' ? LINK_IS_OVER : error.message;
}

const LINK_IS_OVER =
  'This link was used already, or is older than a day. If you have opened your account, sign in; if not, sign up again and you get a new link.';
