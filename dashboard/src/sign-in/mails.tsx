import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { call } from '../api/call.ts';
import type { ApiError } from '../api/errors.ts';
import type { Data } from '../api/types.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';

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

/**
 * The mails that can be read here, as where no mail server is set up. Nobody is asked to sign in for it: who may not read
 * them is shown that by the page, or nothing of them.
 */
export function useOutbox({
  refetchInterval = false,
}: {
  refetchInterval?: number | false;
} = {}): UseQueryResult<Data<'get', '/mail'>, ApiError> {
  return useQuery<Data<'get', '/mail'>, ApiError>({
    queryKey: ['outbox'],
    queryFn: () => call('get', '/mail', {}, { mode: 'SANDBOX', quiet: true }),
    retry: false,
    refetchInterval,
  });
}
