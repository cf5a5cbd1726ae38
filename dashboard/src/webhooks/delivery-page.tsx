import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Timeline } from '../components/timeline.tsx';
import { Moment } from '../components/values.tsx';
import { JsonView } from '../developers/code-block.tsx';
import { DeliveryStatus, NextCall } from './delivery-status.tsx';
import { ReceiverAnswer } from './test-section.tsx';

type Delivery = Data<'get', '/webhook/delivery/{id}'>;

/** One event on its way to the receiver: what was sent, and every call. */
export function DeliveryPage({ id }: { id: string }) {
  const mode = useMode();
  const { data, error, refetch } = useRead('/webhook/delivery/{id}', { path: { id } }, { refetchInterval: 2_000 });
  const mayReplay = useMay()('webhook:write', mode);
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  return (
    <>
      <PageHeader
        title={data.type}
        beside={<DeliveryStatus row={data} />}
        back={{ to: '/developers/deliveries', label: 'All deliveries' }}
        actions={mayReplay && <ReplayButton delivery={data} />}
      >
        <Link to="/developers/events" search={{ event: data.sequence }} className="text-accent underline">
          Event number {data.sequence}
        </Link>
        , happened <Moment at={data.event.createdAt} show="exact" />.
      </PageHeader>
      <Section title="Delivery">
        <DescriptionList
          items={[
            { label: 'Event id', value: <Copyable text={data.eventId} what="event id" /> },
            { label: 'Delivered', value: <Moment at={data.deliveredAt} show="exact" /> },
            { label: 'Next call', value: <NextCall next={{ ...data, at: data.nextAttemptAt }} ahead={data.ahead} /> },
          ]}
        />
      </Section>
      <div className="grid gap-x-6 lg:grid-cols-2">
        <Section title="Calls" about="Newest first.">
          <Timeline entries={data.attemptLog.map(entryOf)} />
        </Section>
        <Section title="What is sent" bare>
          <JsonView value={data.event} what="event" />
        </Section>
      </div>
    </>
  );
}

function entryOf(attempt: Delivery['attemptLog'][number]) {
  const { attemptId, kind, startedAt, statusCode, error, durationMs, answer } = attempt;
  const title = statusCode === null ? 'No answer' : `Answered ${statusCode}`;
  return {
    key: attemptId,
    at: startedAt,
    title: kind === 'REPLAY' ? `${title} (sent again by hand)` : title,
    tone: error === null ? ('good' as const) : ('bad' as const),
    detail: (
      <div className="flex flex-col gap-1.5">
        <p className="text-xs">
          {error ?? 'Taken.'} {durationMs} ms.
        </p>
        <ReceiverAnswer answer={answer} />
      </div>
    ),
  };
}

/** The call goes out in the background: its answer is the next one in the list. */
function ReplayButton({ delivery }: { delivery: Delivery }) {
  const replay = useAction('post', '/webhook/delivery/{id}/replay', { changes: ['/webhook'] });
  const [callsBefore, setCallsBefore] = useState<number>();
  const isAnswered = callsBefore !== undefined && delivery.attemptLog.length > callsBefore;
  const newest = delivery.attemptLog[0];

  async function send(): Promise<void> {
    setCallsBefore(delivery.attemptLog.length);
    try {
      await replay.run({ path: { id: delivery.id } });
    } catch {
      // Shown below, from the action.
      setCallsBefore(undefined);
    }
  }

  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        look="primary"
        icon={RotateCw}
        busy={replay.isPending || (callsBefore !== undefined && !isAnswered)}
        onClick={() => void send()}
      >
        Send it again
      </Button>
      <div aria-live="polite" className="max-w-sm">
        {replay.error !== undefined && <Alert tone="bad">{messageOf(replay.error)}</Alert>}
        {isAnswered && newest !== undefined && <ReplayOutcome taken={newest.error === null} />}
      </div>
    </div>
  );
}

function ReplayOutcome({ taken }: { taken: boolean }) {
  return taken ? (
    <Alert tone="good">Sent again, and the receiver accepted it.</Alert>
  ) : (
    <Alert tone="warn">Sent again, and the receiver did not accept it. The newest call says why.</Alert>
  );
}
