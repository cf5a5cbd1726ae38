import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { Skeleton } from '../components/states.tsx';
import { JoinForm } from '../sign-in/account-forms.tsx';
import { DeadLink, useLinkToken } from '../sign-in/mailed-link.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

export const Route = createFileRoute('/join')({ component: JoinPage });

function JoinPage() {
  const token = useLinkToken();
  const look = useAction('post', '/invitation/look', { changes: [] });
  const [invitation, setInvitation] = useState<Data<'post', '/invitation/look'>>();
  const ask = look.run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for a link; `run` is another function each time.
  useEffect(() => {
    if (token !== undefined) ask({ body: { token } }).then(setInvitation, () => undefined);
  }, [token]);

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
