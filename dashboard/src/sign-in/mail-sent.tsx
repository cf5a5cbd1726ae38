import { MailCheck } from 'lucide-react';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';

/** The same words whether or not the address is known to us. */
export function MailSent({ email, what }: { email: string; what: string }) {
  return (
    <div role="status">
      <EmptyState
        icon={MailCheck}
        title="Check your e-mail"
        action={
          <ButtonLink to="/outbox" look="quiet">
            Open the local outbox
          </ButtonLink>
        }
      >
        If {email} can be used, {what} is on its way. It may take a minute, and it may have landed in spam. Where no
        mail server is set up, it is in the local outbox.
      </EmptyState>
    </div>
  );
}
