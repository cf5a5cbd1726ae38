import { nowDate } from '../api/clock.ts';
import type { RecordOf } from '../api/types.ts';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { formatDistance } from '../format/time.ts';

type Delivery = Pick<RecordOf<'/webhook/delivery'>, 'status' | 'nextAttemptAt' | 'waitsFor'>;
type WaitsFor = Delivery['waitsFor'];

/** Whether an event arrived, and when it is called again where it did not. */
export function DeliveryStatus({ row }: { row: Delivery }) {
  const { status, nextAttemptAt, waitsFor } = row;
  const state = {
    DELIVERED: <Badge tone="good">Delivered</Badge>,
    FAILED: <Badge tone="bad">Abandoned</Badge>,
    PENDING: <Badge tone="warn">Failing</Badge>,
  }[status];
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {state}
      {waitsFor !== null && (
        <span className="text-xs text-muted">
          <NextCall next={{ at: nextAttemptAt, waitsFor }} />
        </span>
      )}
    </span>
  );
}

interface NextCallProps {
  next: { at: string | null; waitsFor: WaitsFor };
  /** Deliveries that are due before this one. */
  ahead?: number;
}

/** When the next call is made, as the worker will do it, or what it waits for. */
export function NextCall({ next: { at, waitsFor }, ahead = 0 }: NextCallProps) {
  switch (waitsFor) {
    case null:
      return <>none is planned</>;
    case 'ENABLE':
      return <>none until the address is started again</>;
    case 'ADDRESS':
      return <>none until there is an address</>;
    case 'TURN':
      return <>due now{aheadWords(ahead)}</>;
    case 'PAUSE':
      return (
        <>
          not before <Moment at={at} show="exact" />: the address is left alone until then{aheadWords(ahead)}
        </>
      );
    case 'TIME':
      return (
        <>
          <Moment at={at} /> {at !== null && `(${formatDistance(at, nowDate())})`}
        </>
      );
  }
}

/** While an address fails, each call that is not accepted makes the next one wait. */
function aheadWords(ahead: number): string {
  if (ahead === 0) return '';
  return `, after ${formatCount(ahead)}${ahead >= 1_000 ? ' or more' : ''} that ${ahead === 1 ? 'was' : 'were'} due before`;
}
