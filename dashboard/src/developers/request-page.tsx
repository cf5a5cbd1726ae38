import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { filtersOf } from '../api/list-search.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data, Input } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Copyable, CopyButton } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { CodeBlock } from './code-block.tsx';
import { curlOf } from './request-curl.ts';
import { methodOf, REQUEST_FILTERS, type RequestFilters } from './requests-search.ts';

type Request = Data<'get', '/request-log/{requestId}'>;
type Body = NonNullable<Request['bodies']>['request'];

interface RequestPageProps {
  id: string;
  /** The filters of the list that one came from. */
  search: RequestFilters;
}

/** One request of a program: what it sent, what it was answered and why, and what came of it. */
export function RequestPage({ id, search }: RequestPageProps) {
  const filters = filtersOf(search, ...REQUEST_FILTERS);
  const query = { ...filters, ...methodOf(filters.method) } as Input<'get', '/request-log/{requestId}'>['query'];
  const { data, error, refetch } = useRead('/request-log/{requestId}', { path: { requestId: id }, query });
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  return (
    <>
      <PageHeader
        title={`${data.method} ${data.path}`}
        beside={<Badge tone={data.status < 400 ? 'good' : data.status < 500 ? 'warn' : 'bad'}>{data.status}</Badge>}
        back={{ to: '/developers/requests', search: filters, label: 'All requests' }}
        actions={<Neighbours request={data} filters={filters} />}
      >
        <Moment at={data.at} show="exact" utc />
      </PageHeader>
      {data.code !== null && (
        <Alert tone={data.status < 500 ? 'warn' : 'bad'} title={data.code} className="mb-6">
          {data.meaning?.replaceAll('`', '') ?? 'This code is in no catalogue of this version.'}{' '}
          <a href={`/docs/errors#${data.code}`} target="_blank" rel="noreferrer" className="text-accent underline">
            About this code
          </a>
        </Alert>
      )}
      <FactsSection request={data} />
      <RelatedSection request={data} />
      <div className="grid gap-x-6 lg:grid-cols-2">
        <BodySection title="What was sent" body={data.bodies?.request} />
        <BodySection title="What was answered" body={data.bodies?.answer} />
      </div>
      <CurlSection request={data} />
    </>
  );
}

function Neighbours({ request: { newer, older }, filters }: { request: Request; filters: RequestFilters }) {
  return (
    <nav aria-label="Other requests" className="flex gap-2">
      <Neighbour id={older} filters={filters} icon={<ChevronLeft className="size-4" aria-hidden />}>
        Previous
      </Neighbour>
      <Neighbour id={newer} filters={filters} icon={<ChevronRight className="size-4" aria-hidden />}>
        Next
      </Neighbour>
    </nav>
  );
}

interface NeighbourProps {
  id: string | null;
  filters: RequestFilters;
  icon: ReactNode;
  children: string;
}

function Neighbour({ id, filters, icon, children }: NeighbourProps) {
  if (id === null) {
    return (
      <span className="inline-flex min-h-8 items-center gap-1 rounded-control border px-2.5 text-xs text-muted">
        {icon}
        None {children === 'Next' ? 'later' : 'earlier'}
      </span>
    );
  }
  return (
    <ButtonLink size="small" to="/developers/requests/$requestId" params={{ requestId: id }} search={filters}>
      {icon}
      {children}
    </ButtonLink>
  );
}

function FactsSection({ request }: { request: Request }) {
  const { requestId, url, durationMs, keyName, keyLastFour, ip, idempotencyKey, replayed } = request;
  const key = `${keyName ?? 'Key'}${keyLastFour === null ? '' : ` (…${keyLastFour})`}`;
  return (
    <Section title="The request">
      <DescriptionList
        items={[
          { label: 'Address', value: <span className="font-mono text-xs break-all">{url}</span> },
          { label: 'Request id', value: <Copyable text={requestId} what="request id" /> },
          { label: 'Took', value: `${formatCount(durationMs)} ms`, figure: true },
          {
            label: 'Key',
            value: (
              <Link to="/developers/keys" className="text-accent underline">
                {key}
              </Link>
            ),
          },
          { label: 'From', value: ip, figure: true },
          {
            label: 'Idempotency key',
            value:
              idempotencyKey === null ? 'None was sent' : <Copyable text={idempotencyKey} what="idempotency key" />,
          },
          {
            label: 'Answer',
            value: replayed ? 'That of an earlier request with this key: nothing was done now' : 'Of this request',
          },
        ]}
      />
    </Section>
  );
}

/** What the request was about, and what it caused, each with the page that shows it. */
function RelatedSection({ request }: { request: Request }) {
  const mode = useMode();
  const may = useMay();
  const { about, events, idempotencyKey } = request;
  const mayLook =
    idempotencyKey !== null && about === null && request.method !== 'GET' && may('transaction:read', mode);
  const made = useRead(
    '/transaction',
    { query: { idempotencyKey: idempotencyKey ?? '', size: 5 } },
    { enabled: mayLook },
  );
  const transactions = made.data?.records ?? [];
  if (about === null && events.length === 0 && transactions.length === 0) return null;
  return (
    <Section title="What it is about">
      <ul className="grid gap-2 text-sm">
        {about !== null && (
          <li>
            <About about={about} />
          </li>
        )}
        {transactions.map(({ transactionId, reference }) => (
          <li key={transactionId}>
            <Link to="/transactions/$transactionId" params={{ transactionId }} className="text-accent underline">
              Transaction {reference}
            </Link>
          </li>
        ))}
        {events.map(({ sequence, type, eventId }) => (
          <li key={eventId} className="flex flex-wrap gap-x-3">
            <Link to="/developers/events" search={{ event: sequence }} className="text-accent underline">
              {type}, event number {formatCount(sequence)}
            </Link>
            <Link
              to="/developers/deliveries/$deliveryId"
              params={{ deliveryId: eventId }}
              className="text-accent underline"
            >
              Its delivery
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function About({ about: { field, id } }: { about: NonNullable<Request['about']> }) {
  const look = 'text-accent underline break-all';
  switch (field) {
    case 'transactionId':
      return (
        <Link to="/transactions/$transactionId" params={{ transactionId: id }} className={look}>
          Transaction {id}
        </Link>
      );
    case 'batchReference':
      return (
        <Link to="/bulk/$batchReference" params={{ batchReference: id }} className={look}>
          Bulk payout {id}
        </Link>
      );
    case 'approvalId':
      return (
        <Link to="/approvals/$approvalId" params={{ approvalId: id }} className={look}>
          Approval {id}
        </Link>
      );
    case 'storeId':
      return (
        <Link to="/stores/$storeId" params={{ storeId: id }} className={look}>
          Store {id}
        </Link>
      );
    case 'subaccountId':
      return (
        <Link to="/subaccounts/$subaccountId" params={{ subaccountId: id }} className={look}>
          Subaccount {id}
        </Link>
      );
    default:
      return (
        <span className="font-mono text-xs break-all">
          {field} {id}
        </span>
      );
  }
}

function BodySection({ title, body }: { title: string; body: Body | undefined }) {
  return (
    <Section title={title} bare about={body === undefined || body.bytes === 0 ? undefined : sizeOf(body)}>
      {body?.text != null ? (
        <div className="relative">
          <div className="absolute top-1.5 right-3">
            <CopyButton text={pretty(body.text)} what={title.toLowerCase()} />
          </div>
          <CodeBlock label={title} text={pretty(body.text)} className="max-h-128 pr-12" />
        </div>
      ) : (
        <p className="card p-4 text-sm text-muted">{whyNothing(body)}</p>
      )}
    </Section>
  );
}

function sizeOf({ bytes, kept }: Body): string {
  const size = `${formatCount(bytes)} bytes went over the line.`;
  return kept === 'CUT' ? `${size} Only the beginning is kept.` : size;
}

function whyNothing(body: Body | undefined): string {
  if (body === undefined)
    return 'Bodies of this request are not kept: they were switched off, had their days, or too many came at once.';
  if (body.kept === 'NONE') return 'There was no body.';
  return 'Only its size is kept: it is not JSON, or larger than is looked at.';
}

/** As JSON is read; the beginning of one is shown as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return `${text}\n… cut here`;
  }
}

function CurlSection({ request }: { request: Request }) {
  const { method, url, idempotencyKey, bodies } = request;
  const text = curlOf({ method, url: `${location.origin}${url}`, idempotencyKey, body: bodies?.request.text ?? null });
  return (
    <Section
      title="As a command"
      about="With the key in MANILLA_KEY. What is left out of the body above has to be filled in; take another idempotency key to have it done anew."
      bare
    >
      <div className="relative">
        <div className="absolute top-1.5 right-3">
          <CopyButton text={text} what="command" />
        </div>
        <CodeBlock label="As a command" text={text} className="pr-12" />
      </div>
    </Section>
  );
}
