import { Landmark, Scale } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { Data, Mode } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { Checkbox, ChoiceGroup } from '../components/choices.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { MODES } from '../format/modes.ts';
import { railsText } from './rails.ts';

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
  const isNew = data?.latest.length === 0;
  return (
    <>
      <PageHeader title="Float" actions={isNew ? undefined : compare}>
        The money with the banks and providers that pay. Comparing asks them for their balance and keeps the result.
      </PageHeader>
      {data === undefined && (error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />)}
      {isNew && (
        <div className="card">
          <EmptyState icon={Landmark} title="Nothing was compared yet" action={compare}>
            Compare each rail's balance with the books once a day: an unexplained difference is money that is missing.
          </EmptyState>
        </div>
      )}
      {data !== undefined && !isNew && (
        <>
          <div className="mb-8 grid gap-4 lg:grid-cols-2">
            {data.latest.map((check) => (
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

/** The last comparison of one group of rails, added up as a person would on paper. */
function FloatCard({ check }: { check: FloatCheck }) {
  const amounts = [
    { label: 'Put there, by our books', value: check.float },
    { label: 'Paid, but confirmed by no file yet', value: -check.unsettled },
    { label: 'Should be there', value: check.expected },
    { label: 'The rails say', value: check.railBalance },
    { label: 'Difference', value: check.difference },
    { label: 'Held for payouts without an outcome', value: check.held },
    { label: 'Owed by providers for payments in', value: check.receivable ?? 0 },
  ];
  return (
    <section className="card p-4 sm:p-5" aria-labelledby={`float-${check.checkId}`}>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 id={`float-${check.checkId}`} className="text-base font-semibold">
          {railsText(check.rails, check.mode)}
        </h2>
        <Verdict verdict={check.verdict} />
      </div>
      <p className="mb-3 text-sm text-muted">{aboutVerdict(check.verdict)}</p>
      <DescriptionList
        layout="rows"
        items={amounts.map(({ label, value }) => ({ label, value: <Amount value={value} />, figure: true }))}
      />
      <p className="mt-3 text-xs text-muted">
        Compared by {check.checkedBy}, <Moment at={check.checkedAt} />
        {check.merchantId !== null && `, for ${check.businessName ?? check.merchantId}`}
      </p>
    </section>
  );
}

const FLOAT_COLUMNS: readonly Column<FloatCheck>[] = [
  {
    key: 'rails',
    header: 'Rails',
    cell: (row) => (
      <div>
        <p className="font-medium">{railsText(row.rails, row.mode)}</p>
        <p className="text-xs wrap-anywhere text-muted">
          <Moment at={row.checkedAt} />, {row.checkedBy}
        </p>
        <p className="mt-1 md:hidden">
          <Verdict verdict={row.verdict} />
        </p>
      </div>
    ),
  },
  { key: 'verdict', header: 'Result', wideOnly: true, cell: (row) => <Verdict verdict={row.verdict} /> },
  {
    key: 'expected',
    header: 'Should be',
    align: 'right',
    wideOnly: true,
    cell: (row) => <Amount value={row.expected} />,
  },
  {
    key: 'said',
    header: 'Rails say',
    align: 'right',
    wideOnly: true,
    cell: (row) => <Amount value={row.railBalance} />,
  },
  { key: 'difference', header: 'Difference', align: 'right', cell: (row) => <Amount value={row.difference} /> },
];

type FloatCheck = Data<'get', '/operator/float'>['latest'][number];

const VERDICTS: Record<FloatCheck['verdict'], { tone: 'good' | 'warn' | 'bad'; word: string; about: string }> = {
  AGREES: { tone: 'good', word: 'Agrees', about: 'The rails hold exactly what the books say.' },
  EXPLAINED_BY_HELD: {
    tone: 'warn',
    word: 'May be on its way',
    about:
      'The difference is covered by what is held for payouts without an outcome. Compare again when they are concluded.',
  },
  EXPLAINED_BY_RECEIVABLES: {
    tone: 'warn',
    word: 'May be settled',
    about:
      'The difference is covered by what providers owe. They may have settled what is not recorded yet: look at the provider settlements.',
  },
  RAILS_HAVE_LESS: {
    tone: 'bad',
    word: 'The rails have less',
    about: 'More left the rails than the books know. Import their settlement files, then look at what is missing.',
  },
  RAILS_HAVE_MORE: {
    tone: 'bad',
    word: 'The rails have more',
    about: 'Something came in, or was not paid, that the books do not know. Import the settlement files.',
  },
};

/** How a comparison ended. */
function Verdict({ verdict }: { verdict: FloatCheck['verdict'] }) {
  const { tone, word } = VERDICTS[verdict];
  return <Badge tone={tone}>{word}</Badge>;
}

const aboutVerdict = (verdict: FloatCheck['verdict']) => VERDICTS[verdict].about;

interface Values {
  mode: Mode;
  rails: string[];
  merchantId: string;
}

/** Asks the rails of one mode for their balance, together: the books keep one float for all of them. */
function CompareDialog({ onClose }: { onClose: () => void }) {
  const compare = useAction('post', '/operator/float/check', { changes: ['/operator'] });
  const { data } = useRead('/operator/rail', {});
  const server = useServerForm<Values>({ defaultValues: { mode: 'LIVE', rails: [], merchantId: '' } });
  const mode = server.form.watch('mode');
  const rails = data?.records.filter((rail) => rail.mode === mode) ?? [];

  async function send(values: Values): Promise<void> {
    const known = values.rails.filter((name) => rails.some(({ railId }) => railId === name));
    if (known.length === 0) {
      server.form.setError('rails', { message: 'Choose at least one rail.' });
      return;
    }
    const merchantId = values.merchantId.trim() === '' ? null : values.merchantId.trim();
    await compare.run({ body: { mode: values.mode, rails: known, merchantId } });
    toast({ tone: 'good', text: 'Compared, and kept.' });
    onClose();
  }

  const problem = server.form.formState.errors.rails?.message;
  return (
    <FormDialog
      onClose={onClose}
      title="Compare the float"
      description="Choose every rail that pays in the mode: the books keep one float for all of them."
      server={server}
      onSend={send}
      send="Compare"
    >
      <Field form={server.form} name="mode" label="Mode">
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <ChoiceGroup legend="Rails">
        {rails.map(({ railId }) => (
          <Checkbox key={railId} value={railId} label={railId} {...server.form.register('rails')} />
        ))}
        {rails.length === 0 && (
          <p className="text-sm text-muted">
            No rail pays in this mode. Add one with{' '}
            <code className="text-xs whitespace-nowrap">npm run admin -- add-rail</code>.
          </p>
        )}
        {problem !== undefined && (
          <p role="alert" className="text-xs font-medium text-bad">
            {problem}
          </p>
        )}
      </ChoiceGroup>
      {mode === 'SANDBOX' && (
        <ControlledField
          form={server.form}
          name="merchantId"
          label="Merchant"
          hint="The sandbox rail keeps each merchant's test money apart."
          rules={{ required: 'Choose a merchant.' }}
        >
          {(control) => <MerchantPicker {...control} />}
        </ControlledField>
      )}
    </FormDialog>
  );
}
