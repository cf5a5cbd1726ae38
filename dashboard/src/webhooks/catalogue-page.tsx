import { Link, useNavigate } from '@tanstack/react-router';
import { BookOpen, Send } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { SelectFilter } from '../components/filters.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { type ApiDocument, useApiDocument } from '../developers/api-document.ts';
import { exampleOf, fieldsOf } from '../developers/api-schema.ts';
import { JsonView } from '../developers/code-block.tsx';
import { FieldTable } from '../developers/field-table.tsx';
import { DeliveryStatus } from './delivery-status.tsx';

/** Every type of event: what it says, with an example, beside the last ones of the business. */
export function CataloguePage({ type }: { type: string | undefined }) {
  const { data: document, error, refetch } = useApiDocument();
  if (document === undefined)
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  const types = Object.keys(document.webhooks);
  const chosen = type !== undefined && types.includes(type) ? type : undefined;
  return (
    <>
      <PageHeader
        title="Event catalogue"
        actions={
          <ButtonLink to="/developers/deliveries" search={chosen === undefined ? {} : { type: chosen }}>
            Deliveries{chosen === undefined ? '' : ' of this type'}
          </ButtonLink>
        }
      >
        What your address is sent: every type of event, its fields, and the last ones of yours.
      </PageHeader>
      <div className="grid gap-x-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <TypeChoice types={types} chosen={chosen} />
        <div className="min-w-0">
          {chosen === undefined ? (
            <div className="card">
              <EmptyState icon={BookOpen} title="Choose a type of event">
                There are {types.length}. Each is named after what it is about and what happened to it.
              </EmptyState>
            </div>
          ) : (
            <TypeSections key={chosen} document={document} type={chosen} />
          )}
        </div>
      </div>
    </>
  );
}

/** A list beside the page where there is room, a choice above it where there is not. */
function TypeChoice({ types, chosen }: { types: readonly string[]; chosen: string | undefined }) {
  const navigate = useNavigate();
  const go = (type: string | undefined) =>
    void navigate({
      to: '/developers/catalogue',
      search: (before) => ({ mode: before.mode, ...(type === undefined ? {} : { type }) }),
    });
  return (
    <>
      <div className="mb-6 lg:hidden">
        <SelectFilter
          label="Type of event"
          all="Choose one"
          options={types.map((type) => ({ value: type, label: type }))}
          value={chosen}
          onChange={go}
        />
      </div>
      <nav aria-label="Types of events" className="hidden lg:block">
        <ul className="grid gap-px">
          {types.map((type) => (
            <li key={type}>
              <Link
                to="/developers/catalogue"
                search={(before) => ({ mode: before.mode, type })}
                resetScroll={false}
                aria-current={type === chosen ? 'page' : undefined}
                className={cn(
                  'block rounded-control px-2.5 py-1 font-mono text-xs break-all',
                  type === chosen
                    ? 'bg-accent-soft font-semibold text-accent'
                    : 'text-muted hover:bg-hover hover:text-ink',
                )}
              >
                {type}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

const TEST_TYPE = 'webhook.test';

function TypeSections({ document, type }: { document: ApiDocument; type: string }) {
  const mode = useMode();
  const mayTest = useMay()('webhook:write', mode);
  const { summary, requestBody } = document.webhooks[type]?.post ?? { summary: '', requestBody: undefined };
  const { schema = {}, example = exampleOf(document, schema) } = requestBody?.content['application/json'] ?? {};
  return (
    <>
      <Section title={type} about={summary} bare>
        <JsonView value={{ ...(example as Record<string, unknown>), mode }} what="example" />
      </Section>
      {type !== TEST_TYPE ? (
        <RecentDeliveries type={type} />
      ) : (
        mayTest && (
          <ButtonLink to="/developers/webhooks" icon={Send} className="mb-8">
            Send a test call
          </ButtonLink>
        )
      )}
      <Section title="Fields" bare>
        <FieldTable caption={`Fields of ${type}`} fields={fieldsOf(document, schema)} />
      </Section>
    </>
  );
}

type Delivery = RecordOf<'/webhook/delivery'>;
const SHOWN = 5;

const COLUMNS: Column<Delivery>[] = [
  {
    key: 'event',
    header: 'Event',
    cell: ({ id, sequence, createdAt }) => (
      <>
        <Link
          to="/developers/deliveries/$deliveryId"
          params={{ deliveryId: id }}
          className="font-medium text-accent hover:underline"
        >
          Number {sequence}
        </Link>
        <p className="text-xs text-muted">
          <Moment at={createdAt} show="exact" />
        </p>
      </>
    ),
  },
  { key: 'state', header: 'State', cell: (row) => <DeliveryStatus row={row} /> },
  {
    key: 'log',
    header: 'As it was sent',
    align: 'right',
    wideOnly: true,
    cell: ({ sequence }) => (
      <Link to="/developers/events" search={{ event: sequence }} className="text-accent underline">
        Open
      </Link>
    ),
  },
];

/** The last deliveries of a type, with what became of them. */
function RecentDeliveries({ type }: { type: string }) {
  const { data, error, refetch } = useRead(
    '/webhook/delivery',
    { query: { type, size: SHOWN } },
    { refetchInterval: 10_000 },
  );
  return (
    <Section
      title="The last ones of yours"
      about="In this mode, as they were delivered to your address."
      bare
      actions={
        <ButtonLink size="small" to="/developers/events" search={{ type }}>
          In the event log
        </ButtonLink>
      }
    >
      {data === undefined && error === null ? (
        <Skeleton className="h-24 w-full rounded-card" />
      ) : (
        <Table
          caption={`The last deliveries of ${type}`}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          {...(data === undefined ? {} : { rows: data.records })}
          list={{ data: undefined, error, refetch }}
          empty={
            <EmptyState title="None was delivered yet">
              As soon as one happens and there is an address, its delivery is listed here.
            </EmptyState>
          }
        />
      )}
    </Section>
  );
}
