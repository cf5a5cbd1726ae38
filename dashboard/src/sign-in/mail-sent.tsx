import { MailCheck } from 'lucide-react';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';
import { useOutbox } from './use-outbox.ts';

interface MailSentProps {
  email: string;
  what: string;
  /** Back to the form, with what was typed in it. */
  onBack: () => void;
}

/** The same words whether or not the address is known to us. */
export function MailSent({ email, what, onBack }: MailSentProps) {
  const { isSuccess: outbox } = useOutbox();
  return (
    <div role="status">
      <EmptyState
        icon={MailCheck}
        title="Check your e-mail"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={onBack}>Change the address or send again</Button>
            {outbox && <ButtonLink to="/outbox">Open the local outbox</ButtonLink>}
          </div>
        }
      >
        If {email} can be used, {what} is on its way. It may take a minute, and it may have landed in spam.
        {outbox && ' No mail server is set up here, so it is in the local outbox.'}
      </EmptyState>
    </div>
  );
}
