import { useRead } from '../api/reads.ts';
import { Dialog } from '../components/dialog.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Moment } from '../components/values.tsx';
import { JsonView } from '../developers/json-view.tsx';
import { EventSubject } from './event-subject.tsx';

/** One event as it is sent. @param sequence undefined while none is open. */
export function EventDialog({ sequence, onClose }: { sequence: number | undefined; onClose: () => void }) {
  return sequence === undefined ? null : <OpenEventDialog sequence={sequence} onClose={onClose} />;
}

function OpenEventDialog({ sequence, onClose }: { sequence: number; onClose: () => void }) {
  const { data, error, refetch } = useRead('/event', { query: { after: sequence - 1, limit: 1 } });
  const event = data?.records[0];
  return (
    <Dialog open kind="side" onClose={onClose} title={event?.type ?? `Event ${sequence}`}>
      {event !== undefined ? (
        <div className="flex flex-col gap-3">
          <p className="text-muted">
            Number {event.sequence}, <Moment at={event.createdAt} show="exact" utc />
          </p>
          <EventSubject type={event.type} data={event.data} />
          <JsonView value={event} what="event" />
        </div>
      ) : data !== undefined ? (
        <p>There is no event with the number {sequence}.</p>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Skeleton className="h-64 w-full rounded-control" />
      )}
    </Dialog>
  );
}
