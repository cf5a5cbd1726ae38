import { Eye, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Switch } from '../components/choices.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { useLatestValues } from '../components/use-latest-values.ts';
import { Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { formatCount } from '../format/money.ts';
import { NextCall } from './delivery-status.tsx';
import { TestSection } from './test-section.tsx';

/** Where the events of a mode go, whether they arrive, and how a receiver knows that they are ours. */
export function EndpointPage() {
  const mode = useMode();
  const mayChange = useMay()('webhook:write', mode);
  return (
    <>
      <PageHeader title="Webhooks">
        We call your address for every payout that ends, every batch and every movement. This is the address for{' '}
        {modeWord(mode)} events.
      </PageHeader>
      <div className="grid gap-x-6 lg:grid-cols-2">
        <div className="min-w-0">
          <AddressSection />
          <SecretSection mayChange={mayChange} />
        </div>
        <div className="min-w-0">
          <EndpointSection mayChange={mayChange} />
          {mayChange && <TestSection />}
        </div>
      </div>
    </>
  );
}

type Endpoint = Data<'get', '/webhook/endpoint'>;

/** How far events were delivered, and what holds them up. */
function EndpointSection({ mayChange }: { mayChange: boolean }) {
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
          {endpoint.status !== 'NONE' && <OrderSwitch endpoint={endpoint} mayChange={mayChange} />}
          <ButtonLink to="/developers/deliveries" size="small" className="self-start">
            See deliveries
          </ButtonLink>
        </div>
      )}
    </Section>
  );
}

/** One call after the other, or several at once. */
function OrderSwitch({ endpoint, mayChange }: { endpoint: Endpoint; mayChange: boolean }) {
  const change = useAction('patch', '/webhook/endpoint', { changes: ['/webhook/endpoint'] });
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label="One event after the other"
        hint="Off: up to eight calls at once, in no order. Quicker, for a receiver that goes by the sequence of an event."
        checked={endpoint.ordered}
        disabled={!mayChange || change.isPending}
        onChange={(event) => void change.run({ body: { ordered: event.currentTarget.checked } }).catch(() => undefined)}
      />
      {change.error !== undefined && <Alert tone="bad">{messageOf(change.error)}</Alert>}
    </div>
  );
}

/**
 * Without an address there is nothing to be behind with. An event counts as called for once it was, whether or not it was
 * accepted: one that was not is called for again, and that stands beside.
 */
const progressOf = (endpoint: Endpoint) => [
  { label: 'Called for, at least once, up to', value: `number ${formatCount(endpoint.sentSequence)}`, figure: true },
  { label: 'Not called for yet', value: formatCount(endpoint.behind), figure: true },
  { label: 'Failed calls in a row', value: formatCount(endpoint.failuresInARow), figure: true },
  ...(hasToRepeat(endpoint)
    ? [{ label: 'Events that were not accepted', value: <>are called for again: {nextOf(endpoint)}</> }]
    : []),
];

/** With nothing that is new, what is still to be called for was called for before. */
const hasToRepeat = ({ behind, waitsFor }: Endpoint) => behind === 0 && waitsFor !== null;

const nextOf = (endpoint: Endpoint) => <NextCall next={{ ...endpoint, at: endpoint.nextCallAt }} />;

function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.status === 'NONE') return <Badge tone="quiet">No address</Badge>;
  if (endpoint.status === 'DISABLED') return <Badge tone="bad">Stopped</Badge>;
  return endpoint.failuresInARow > 0 ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">Working</Badge>;
}

function Trouble({ endpoint, mayChange }: { endpoint: Endpoint; mayChange: boolean }) {
  const enable = useAction('post', '/webhook/endpoint/enable', { changes: ['/webhook'] });
  if (endpoint.status === 'NONE') {
    return (
      <Alert tone="info" title="Nothing is sent yet">
        Save an address, and events are sent there from then on. Events are kept, so nothing is lost.
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
    <Alert tone="warn" title="The last calls were not accepted">
      We retry automatically, less often each time. Next call: {nextOf(endpoint)}
    </Alert>
  );
}

/** The address of the mode. It is a field of the profile, one for each mode. */
function AddressSection() {
  const mode = useMode();
  const merchant = useRead('/merchant/info', {});
  const field = mode === 'LIVE' ? 'productionWebhookURL' : 'sandboxWebhookURL';
  return (
    <Section title="Address">
      {merchant.error !== null && merchant.data === undefined ? (
        <ErrorState error={merchant.error} onRetry={merchant.refetch} />
      ) : merchant.data === undefined ? (
        <Skeleton className="h-32 w-full rounded-control" />
      ) : (
        <AddressForm field={field} address={merchant.data[field]} />
      )}
    </Section>
  );
}

interface AddressFormProps {
  field: 'sandboxWebhookURL' | 'productionWebhookURL';
  address: string;
}

function AddressForm({ field, address }: AddressFormProps) {
  const mode = useMode();
  const mayChange = useMay()('merchant:write', mode);
  const change = useAction('patch', '/merchant/info', { changes: ['/merchant/info', '/webhook/endpoint'] });
  const server = useServerForm({ defaultValues: { url: address }, fields: { [field]: 'url' } });
  useLatestValues(server.form, { url: address });

  async function send({ url }: { url: string }): Promise<void> {
    const saved = await change.run({ body: { [field]: url.trim() } });
    server.form.reset({ url: saved[field] });
    toast({ tone: 'good', text: url.trim() === '' ? 'Events are no longer sent.' : 'Saved. New events go there.' });
  }

  return (
    <Form server={server} onSend={send} {...(mayChange ? { send: 'Save address' } : {})}>
      <Field
        form={server.form}
        name="url"
        label={mode === 'LIVE' ? 'Address for live events' : 'Address for sandbox events'}
        optional
        hint={
          mode === 'LIVE'
            ? 'A public https:// address of your server. Leave it empty to send nowhere.'
            : 'A public address of your server. Leave it empty to send nowhere.'
        }
        rules={{ validate: (url: string) => complainAboutUrl(url.trim()) ?? true }}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            readOnly={!mayChange}
            placeholder="https://shop.example.com/hooks/manilla"
            className="font-mono text-xs"
          />
        )}
      </Field>
    </Form>
  );
}

function complainAboutUrl(url: string): string | undefined {
  if (url === '') return undefined;
  if (!/^https?:\/\//i.test(url)) return 'Begin with https://.';
  return URL.canParse(url) ? undefined : 'This is not a complete address, such as https://shop.example.com/hooks.';
}

/** The secret that signs what is sent. It is read only when somebody asks to see it. */
function SecretSection({ mayChange }: { mayChange: boolean }) {
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const rotate = useAction('post', '/webhook/secret/rotate', { changes: ['/webhook/secret'] });
  return (
    <Section title="Signing secret" about="Check the signature of each call with it: only then is it from us.">
      <div className="flex min-h-16 flex-col gap-4">
        {shown ? <Secret /> : <p className="font-mono text-xs tracking-wider text-muted">whsec_••••••••••••••••••••</p>}
        <div className="flex flex-wrap gap-2">
          {!shown && (
            <Button size="small" icon={Eye} onClick={() => setShown(true)}>
              Show the secret
            </Button>
          )}
          {mayChange && (
            <Button size="small" icon={RefreshCw} onClick={() => setAsking(true)}>
              Rotate
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Rotate the signing secret?"
        confirm="Rotate secret"
        onConfirm={async () => {
          await rotate.run({});
          setShown(true);
          toast({ tone: 'good', text: 'There is a new secret. Put it into your receiver.' });
        }}
      >
        <p>
          Each call is then signed with the new secret and, for 24 hours, with the one before as well, where calls have
          been signed with one. Put the new one into your receiver within that time.
        </p>
      </ConfirmDialog>
    </Section>
  );
}

function Secret() {
  const { data, error, refetch } = useRead('/webhook/secret', {}, { staleTime: 0, gcTime: 0 });
  if (data === undefined) {
    return error === null ? <Skeleton className="h-10 w-full" /> : <ErrorState error={error} onRetry={refetch} />;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <Copyable text={data.secret} what="secret" />
      <p className="text-xs text-muted">
        Created <Moment at={data.createdAt} />.
        {data.previousExpiresAt !== null && (
          <>
            {' '}
            The previous secret also signs until <Moment at={data.previousExpiresAt} />.
          </>
        )}
      </p>
    </div>
  );
}
