import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';

type Endpoint = Data<'get', '/webhook/endpoint'>;

/** How far the address has been told, and what holds it up. */
export function EndpointSection({ mayChange }: { mayChange: boolean }) {
  const { data: endpoint, error, refetch } = useRead('/webhook/endpoint', {}, { refetchInterval: 3_000 });
  return (
    <Section title="How it is doing" actions={endpoint !== undefined && <EndpointState endpoint={endpoint} />}>
      {endpoint === undefined ? (
        error === null ? (
          <Skeleton className="h-32 w-full rounded-control" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <div className="flex flex-col gap-4">
          <Trouble endpoint={endpoint} mayChange={mayChange} />
          <DescriptionList
            layout="rows"
            items={[
              { label: 'Events so far', value: formatCount(endpoint.lastSequence), figure: true },
              ...(endpoint.status === 'NONE' ? [] : progressOf(endpoint)),
            ]}
          />
          <ButtonLink to="/developers/deliveries" size="small" className="self-start">
            See deliveries
          </ButtonLink>
        </div>
      )}
    </Section>
  );
}

/** Without an address there is nothing to be behind with. */
const progressOf = ({ toldSequence, behind, failuresInARow }: Endpoint) => [
  { label: 'Sent up to', value: `number ${formatCount(toldSequence)}`, figure: true },
  { label: 'Waiting to be sent', value: formatCount(behind), figure: true },
  { label: 'Failed calls in a row', value: formatCount(failuresInARow), figure: true },
];

function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.status === 'NONE') return <Badge tone="quiet">No address</Badge>;
  if (endpoint.status === 'DISABLED') return <Badge tone="bad">Stopped</Badge>;
  return endpoint.failuresInARow > 0 ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">In order</Badge>;
}

function Trouble({ endpoint, mayChange }: { endpoint: Endpoint; mayChange: boolean }) {
  const enable = useAction('post', '/webhook/endpoint/enable', { changes: ['/webhook'] });
  if (endpoint.status === 'NONE') {
    return (
      <Alert tone="info" title="Nothing is sent yet">
        Save an address, and events are sent there from then on. Events are kept, so nothing is lost meanwhile.
      </Alert>
    );
  }
  if (endpoint.status === 'DISABLED') {
    return (
      <Alert
        tone="bad"
        title="The address said that it wants no more events (410)"
        action={
          mayChange && (
            <Button
              size="small"
              busy={enable.isPending}
              onClick={() => void enable.run({ body: {} }).catch(() => undefined)}
            >
              Send again
            </Button>
          )
        }
      >
        We stopped calling it. Events wait; when you start again, they are sent from where we stopped.
        {enable.error !== undefined && <p className="mt-1 font-medium">{messageOf(enable.error)}</p>}
      </Alert>
    );
  }
  if (endpoint.failuresInARow === 0) return null;
  return (
    <Alert tone="warn" title="The last calls were not taken">
      We try again by ourselves, less often each time.
      {endpoint.pausedUntil !== null && (
        <>
          {' '}
          The next try is at <Moment at={endpoint.pausedUntil} show="time" />.
        </>
      )}
    </Alert>
  );
}
