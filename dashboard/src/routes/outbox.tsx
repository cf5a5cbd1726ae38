import { createFileRoute } from '@tanstack/react-router';
import { Lock, MailOpen } from 'lucide-react';
import { ApiError } from '../api/errors.ts';
import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import { Moment } from '../components/values.tsx';
import { useOutbox } from '../sign-in/mails.tsx';

export const Route = createFileRoute('/outbox')({ component: OutboxPage });

/** Where no mail server is set up, what would have been mailed is read here. */
function OutboxPage() {
  const mails = useOutbox({ refetchInterval: 5_000 });
  return (
    <main className="mx-auto max-w-3xl px-4 py-10">
      <PageHeader title="Local outbox" back={{ to: '/sign-in', label: 'Sign in' }}>
        Mails that were not sent because no mail server is set. The newest is on top.
      </PageHeader>
      {mails.error !== null &&
        (isClosed(mails.error) ? <Closed /> : <ErrorState error={mails.error} onRetry={mails.refetch} />)}
      {mails.isPending && <PageSkeleton />}
      {mails.data?.length === 0 && (
        <div className="card">
          <EmptyState icon={MailOpen} title="No mail yet">
            Sign up, forget a password or invite somebody: the mail appears here within seconds.
          </EmptyState>
        </div>
      )}
      <ul className="flex flex-col gap-4">
        {mails.data?.map((mail) => (
          <OutboxMail key={mail.mailId} mail={mail} />
        ))}
      </ul>
    </main>
  );
}

function isClosed(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

function Closed() {
  return (
    <div className="card">
      <EmptyState
        icon={Lock}
        title="The operator’s staff read these mails"
        action={<ButtonLink to="/sign-in">Sign in</ButtonLink>}
      >
        Links in them let people in. They are open to everybody only on the machine itself, while all of it is a demo:
        once others can reach this installation, or a merchant is approved, one of the operator’s staff has to sign in.
      </EmptyState>
    </div>
  );
}

/** A mail as it would have been sent; its link is one click away. */
function OutboxMail({ mail }: { mail: Data<'get', '/mail'>[number] }) {
  return (
    <li className="card p-5">
      <article aria-label={mail.subject}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="font-semibold">{mail.subject}</h2>
          <Moment at={mail.at} className="text-xs text-muted" />
        </div>
        <p className="text-xs text-muted">To {mail.to}</p>
        <p className="mt-3 text-sm break-words whitespace-pre-line">{mail.text}</p>
        {mail.link !== null && (
          <a href={mail.link} className="mt-3 inline-block font-medium text-accent underline">
            Open the link
          </a>
        )}
      </article>
    </li>
  );
}
