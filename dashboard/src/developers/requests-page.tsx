import { Link, useNavigate } from '@tanstack/react-router';
import { FileClock } from 'lucide-react';
import { atPlace, filtersOf } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Input, RecordOf } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { DaysFilter } from '../components/day-filters.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { dayOf } from '../format/period.ts';
import { BodySettingsButton } from './body-settings.tsx';
import { RatesSection, useRates } from './rates-section.tsx';
import { methodOf, REQUEST_FILTERS, type RequestFilters, type RequestsSearch } from './requests-search.ts';

type Request = RecordOf<'/request-log'>;

const STATUSES = [
  { value: '2xx', label: 'Done (2xx)' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Our failure (5xx)' },
];
const knownStatuses = (status: string | undefined) =>
  status === undefined || STATUSES.some(({ value }) => value === status)
    ? STATUSES
    : [...STATUSES, { value: status, label: status }];

/** What the business's programs asked for with their keys, and what they were answered. */
export function RequestsPage({ search }: { search: RequestsSearch }) {
  const navigate = useNavigate();
  const { page } = search;
  const filters = filtersOf(search, ...REQUEST_FILTERS);
  const list = useList(
    '/request-log',
    { query: { ...filters, ...methodOf(filters.method), ...atPlace(page), size: 50 } as ListQuery },
    { refetchInterval: 10_000 },
  );
  const leftOut = list.data?.leftOut ?? 0;
  const filtered = Object.keys(filters).length > 0;
  const change = (next: { [K in keyof RequestsSearch]?: RequestsSearch[K] | undefined }) =>
    void navigate({ to: '/developers/requests', search: { ...search, page: undefined, ...next } as RequestsSearch });

  return (
    <ListPage
      title="Requests"
      about="What your programs requested with their API keys in the last seven days."
      actions={<BodySettingsButton />}
      intro={<RatesSection search={search} />}
      filters={
        <>
          <SelectFilter
            label="Answer"
            all="All"
            options={knownStatuses(filters.status)}
            value={filters.status}
            onChange={(status) => change({ status })}
          />
          <OperationFilter search={search} onChange={change} />
          <KeyFilter value={filters.keyId} onChange={(keyId) => change({ keyId })} />
          <DaysFilter from={dayOf(filters.from)} to={dayOf(filters.to)} onChange={change} />
        </>
      }
      note={
        leftOut > 0 && (
          <Alert tone="info" className="mb-4">
            {formatCount(leftOut)} more requests of this period are not listed: at most 50 a second are.
          </Alert>
        )
      }
      columns={columnsOf(filters)}
      rowKey={({ requestId }) => requestId}
      list={list}
      onPage={(next) => change({ page: next })}
      isFiltered={filtered}
      empty={<NoRequests />}
    />
  );
}

type ListQuery = NonNullable<Input<'get', '/request-log'>['query']>;

interface OperationFilterProps {
  search: RequestsSearch;
  onChange: (next: { [K in keyof RequestsSearch]?: RequestsSearch[K] | undefined }) => void;
}

/** The operations that were asked lately, and what was answered, each with the code that is chosen. */
function OperationFilter({ search, onChange }: OperationFilterProps) {
  const { data } = useRates(search);
  const chosen = search.path === undefined ? undefined : `${search.method ?? ''} ${search.path}`;
  const known = data?.operations.map(({ method, path }) => `${method} ${path}`) ?? [];
  const names = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
  const codes = new Set(data?.operations.flatMap(({ answers }) => answers.flatMap(({ code }) => code ?? [])));
  if (search.code !== undefined) codes.add(search.code);
  return (
    <>
      <SelectFilter
        label="Operation"
        all="All operations"
        options={names.map((name) => ({ value: name, label: name }))}
        value={chosen}
        onChange={(name) => {
          const [method, path] = name?.split(' ') ?? [];
          onChange({ method, path });
        }}
      />
      <SelectFilter
        label="Code"
        all="All codes"
        options={[...codes].sort().map((code) => ({ value: code, label: code }))}
        value={search.code}
        onChange={(code) => onChange({ code })}
      />
    </>
  );
}

interface KeyFilterProps {
  value: string | undefined;
  onChange: (keyId: string | undefined) => void;
}

function KeyFilter({ value, onChange }: KeyFilterProps) {
  const mode = useMode();
  const mayRead = useMay()('key:read', mode);
  const { data = [] } = useRead('/key', {}, { enabled: mayRead });
  const options = data.map(({ keyId, name, lastFour }) => ({
    value: keyId,
    label: `${name === '' ? 'Key' : name} (…${lastFour})`,
  }));
  return <SelectFilter label="Key" all="All keys" options={options} value={value} onChange={onChange} />;
}

const columnsOf = (filters: RequestFilters): Column<Request>[] => [
  {
    key: 'what',
    header: 'Request',
    cell: ({ method, url, path, at, requestId }) => (
      <div className="min-w-0 font-mono text-xs">
        <Link
          to="/developers/requests/$requestId"
          params={{ requestId }}
          search={filters}
          className="text-accent hover:underline"
        >
          <span className="font-semibold">{method}</span> <span className="break-all">{path}</span>
        </Link>
        <p className="font-sans text-muted md:hidden">
          <Moment at={at} show="exact" />
        </p>
        {url !== path && (
          <p className="max-w-[min(28rem,50vw)] truncate text-muted" title={url}>
            {url}
          </p>
        )}
      </div>
    ),
  },
  {
    key: 'answer',
    header: 'Answer',
    cell: ({ status, code }) => (
      <div className="flex flex-col items-start gap-0.5">
        <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
        {code !== null && <span className="font-mono text-2xs break-all text-muted">{code}</span>}
      </div>
    ),
  },
  {
    key: 'key',
    header: 'Key',
    wideOnly: true,
    cell: ({ keyName, keyLastFour }) => (
      <div>
        {keyName !== null && keyName !== '' && <p>{keyName}</p>}
        {keyLastFour !== null && <p className="font-mono text-xs text-muted">…{keyLastFour}</p>}
      </div>
    ),
  },
  { key: 'ip', header: 'From', wideOnly: true, cell: ({ ip }) => <span className="figures">{ip}</span> },
  {
    key: 'took',
    header: 'Took',
    align: 'right',
    wideOnly: true,
    cell: ({ durationMs }) => <span className="figures">{formatCount(durationMs)} ms</span>,
  },
  {
    key: 'at',
    header: 'When',
    align: 'right',
    wideOnly: true,
    cell: ({ at, requestId, method, path }) => (
      <span className="inline-flex items-center gap-1">
        <Moment at={at} show="exact" />
        <CopyButton text={requestId} what={`request id ${requestId} of ${method} ${path}`} />
      </span>
    ),
  },
];

function NoRequests() {
  return (
    <EmptyState
      icon={FileClock}
      title="No requests yet"
      action={
        <ButtonLink to="/developers/keys" look="primary">
          Create a key
        </ButtonLink>
      }
    >
      As soon as a program of yours sends a request with an API key, it is listed here with its response.
    </EmptyState>
  );
}
