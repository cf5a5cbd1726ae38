import { createFileRoute } from '@tanstack/react-router';
import { useAction } from '../api/action.ts';
import { ButtonLink } from '../components/button.tsx';
import { Skeleton } from '../components/states.tsx';
import { JoinForm } from '../sign-in/account-forms.tsx';
import { DeadLink, useMailedLink } from '../sign-in/mailed-link.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

export const Route = createFileRoute('/join')({ component: JoinPage });

function JoinPage() {
  const look = useAction('post', '/invitation/look', { changes: [] });
  const { token, found: invitation } = useMailedLink((mailed) => look.run({ body: { token: mailed } }));

  if (token === undefined || look.error !== undefined) {
    return (
      <PlainPage title="Join">
        <DeadLink {...(look.error === undefined ? {} : { message: look.error.message })}>
          <ButtonLink to="/sign-in">Sign in</ButtonLink>
        </DeadLink>
      </PlainPage>
    );
  }
  if (invitation === undefined) {
    return (
      <PlainPage title="Join">
        <Skeleton className="h-64" />
      </PlainPage>
    );
  }
  return <JoinForm token={token} invitation={invitation} />;
}
