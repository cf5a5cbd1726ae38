import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Section } from '../components/page-header.tsx';
import { type Column, Table } from '../components/table.tsx';
import { formatMany } from '../format/money.ts';

type Kept = Data<'get', '/operator/retention'>['kept'][number];

const COLUMNS: readonly Column<Kept>[] = [
  {
    key: 'what',
    header: 'What',
    cell: ({ what, why }) => (
      <div className="min-w-40">
        <p className="font-medium">{what}</p>
        <p className="text-xs text-muted">{why}</p>
      </div>
    ),
  },
  {
    key: 'days',
    header: 'Kept',
    cell: ({ days }) => (days === null ? 'Always' : formatMany(days, 'day')),
  },
  {
    key: 'setting',
    header: 'Setting',
    wideOnly: true,
    cell: ({ setting, minimumDays }) =>
      setting !== null && (
        <>
          <p className="font-mono text-xs">{setting}</p>
          {minimumDays !== null && <p className="text-xs text-muted">at least {formatMany(minimumDays, 'day')}</p>}
        </>
      ),
  },
];

/** What is kept for how long, and why. */
export function Retention() {
  const read = useRead('/operator/retention', {});
  return (
    <Section
      title="What is kept"
      about="What is older is removed by itself, little by little. The settings are those of the service: whoever runs it changes them."
      bare
    >
      {read.error && <Alert tone="warn" title={read.error.message} />}
      {read.data !== undefined && (
        <Table
          caption="What is kept for how long"
          columns={COLUMNS}
          rows={read.data.kept}
          rowKey={({ what }) => what}
          empty={null}
        />
      )}
    </Section>
  );
}
