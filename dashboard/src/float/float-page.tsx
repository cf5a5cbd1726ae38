import { Landmark, Scale } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { FloatCard } from './float-card.tsx';
import { FLOAT_COLUMNS } from './float-columns.tsx';

const SIZE = 20;

/** What the rails hold beside what the books say they should hold. */
export function FloatPage({
  page,
  onPage,
}: {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}) {
  const [comparing, setComparing] = useState(false);
  const { data, error, refetch } = useList('/operator/float', { query: { ...atPlace(page), size: SIZE } });
  const compare = (
    <Button look="primary" icon={Scale} onClick={() => setComparing(true)}>
      Compare now
    </Button>
  );
  const isNew = data?.standing.length === 0;
  return (
    <>
      <PageHeader title="Float" actions={isNew ? undefined : compare}>
        The money with the banks and providers that pay. Comparing asks them for their balance and keeps the result.
      </PageHeader>
      {data === undefined && (error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />)}
      {isNew && (
        <div className="card">
          <EmptyState icon={Landmark} title="Nothing was compared yet" action={compare}>
            Compare each rail's balance with the books once a day: a difference that nobody explains is money that
            somebody misses.
          </EmptyState>
        </div>
      )}
      {data !== undefined && !isNew && (
        <>
          <div className="mb-8 grid gap-4 lg:grid-cols-2">
            {data.standing.map((check) => (
              <FloatCard key={check.checkId} check={check} />
            ))}
          </div>
          <Section title="Earlier comparisons" bare>
            <Table
              caption="Earlier comparisons"
              columns={FLOAT_COLUMNS}
              rowKey={(row) => row.checkId}
              list={{ data: data.history, error: null, refetch }}
              onPage={onPage}
              empty={<EmptyState title="None yet">Each comparison is kept.</EmptyState>}
            />
          </Section>
        </>
      )}
      {comparing && <CompareDialog onClose={() => setComparing(false)} />}
    </>
  );
}
