import { createFileRoute } from '@tanstack/react-router';
import { MailOpen } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import { OutboxMail } from '../sign-in/outbox-mail.tsx';

export const Route = createFileRoute('/outbox')({ component: OutboxPage });

/** Where no mail server is set up, what would have been mailed is read here. */
function OutboxPage() {
  const mails = useRead('/mail', {}, { refetchInterval: 5_000, retry: false });
  return (
    <main className="mx-auto max-w-3xl px-4 py-10">
      <PageHeader title="Local outbox" back={{ to: '/sign-in', label: 'Sign in' }}>
        No mail server is set up, so nothing leaves this machine. The newest mail is on top.
      </PageHeader>
      {mails.error !== null && <ErrorState error={mails.error} onRetry={mails.refetch} />}
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
