import type { RecordOf } from '../api/types.ts';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';

type Delivery = Pick<RecordOf<'/webhook/delivery'>, 'status' | 'nextAttemptAt'>;

/** Whether an event arrived, and when it is tried again where it did not. */
export function DeliveryStatus({ row }: { row: Delivery }) {
  if (row.status === 'DELIVERED') return <Badge tone="good">Delivered</Badge>;
  if (row.status === 'FAILED') return <Badge tone="bad">Abandoned</Badge>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Badge tone="warn">Failing</Badge>
      {row.nextAttemptAt !== null && (
        <span className="text-xs text-muted">
          again at <Moment at={row.nextAttemptAt} show="time" />
        </span>
      )}
    </span>
  );
}
