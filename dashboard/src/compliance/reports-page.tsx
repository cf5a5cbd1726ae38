import { FileSpreadsheet } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useAction } from '../api/action.ts';
import { nowMs } from '../api/clock.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DaysFilter } from '../components/day-filters.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { ListPage } from '../components/list-page.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { complainAboutMoney, parseMoney } from '../format/money.ts';
import type { Period } from '../format/period.ts';
import { DAY_MS, lagosLocal } from '../format/time.ts';

type Threshold = Data<'get', '/operator/report-threshold'>['records'][number];

const COLUMNS: readonly Column<Threshold>[] = [
  { key: 'from', header: 'From', cell: ({ effectiveFrom }) => <Moment at={effectiveFrom} /> },
  { key: 'individual', header: 'Individuals', align: 'right', cell: ({ individual }) => <Amount value={individual} /> },
  { key: 'corporate', header: 'Businesses', align: 'right', cell: ({ corporate }) => <Amount value={corporate} /> },
  { key: 'source', header: 'Source', wideOnly: true, cell: ({ source }) => source },
];

const daysAgo = (days: number) => lagosLocal(new Date(nowMs() - days * DAY_MS)).slice(0, 10);

const Retention = lazy(() => import('./retention.tsx').then((part) => ({ default: part.Retention })));

/** Payments in and payouts at or above a threshold, for a report: what is reported is the operator's to decide. */
export function ReportsPage() {
  const [isSetting, setSetting] = useState(false);
  const [{ from = '', to = '' }, setPeriod] = useState<Period>({ from: daysAgo(30), to: daysAgo(0) });
  const { data, error, refetch } = useRead('/operator/report-threshold', {});
  const set = <Button onClick={() => setSetting(true)}>Set the threshold</Button>;
  const period = new URLSearchParams({ mode: 'LIVE', firstDay: from, lastDay: to });
  return (
    <ListPage
      title="Large transactions"
      actions={set}
      about="All payments in and payouts of live mode at or above the threshold that was in force, with payer, payee and session id. Each download stands in the audit log."
      intro={
        <div className="mb-4 flex flex-wrap items-end gap-3">
          <DaysFilter required from={from} to={to} onChange={setPeriod} />
          <DownloadButton address={`/operator/large-transaction.csv?${period}`} fileName={`large-${from}-${to}.csv`}>
            Download CSV
          </DownloadButton>
        </div>
      }
      caption="Thresholds"
      columns={COLUMNS}
      rowKey={({ effectiveFrom }) => effectiveFrom}
      {...(data === undefined ? {} : { rows: data.records })}
      list={{ data: undefined, error, refetch }}
      empty={
        <EmptyState icon={FileSpreadsheet} title="No threshold is set" action={set}>
          Set from which amount on a transaction is large, by the rule that holds for you.
        </EmptyState>
      }
    >
      {isSetting && <ThresholdDialog onClose={() => setSetting(false)} />}
      <Suspense>
        <Retention />
      </Suspense>
    </ListPage>
  );
}

function ThresholdDialog({ onClose }: { onClose: () => void }) {
  const set = useAction('post', '/operator/report-threshold', { changes: ['/operator'] });
  const server = useServerForm({ defaultValues: { individual: '', corporate: '', reason: '' } });

  async function send(values: { individual: string; corporate: string; reason: string }): Promise<void> {
    const { individual, corporate, reason } = values;
    await set.run({ body: { individual: parseMoney(individual) ?? 0, corporate: parseMoney(corporate) ?? 0, reason } });
    toast({ tone: 'good', text: 'The threshold is set from now on.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Set the threshold"
      description="From now on; what happened before stays by the threshold of its day."
      server={server}
      onSend={send}
      send="Set it"
    >
      <Field form={server.form} name="individual" label="Of individuals" rules={{ validate: complainAboutMoney }}>
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field form={server.form} name="corporate" label="Of businesses" rules={{ validate: complainAboutMoney }}>
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field form={server.form} name="reason" label="Source" rules={{ required: 'Say which rule it is.' }}>
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
