import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { modeWord } from '../format/modes.ts';
import { RailCard } from './rail-card.tsx';
import type { Rail } from './rails.ts';

type Rails = Data<'get', '/operator/rail'>;
type Default = Rails['defaults'][number];

const LOOK_EVERY_MS = 10_000;

/** The banks and providers that pay, whether they answer, and in which order they are asked. */
export function RailsPage() {
  const { data, error, refetch } = useRead('/operator/rail', {}, { refetchInterval: LOOK_EVERY_MS });
  const [ordering, setOrdering] = useState<Default>();
  return (
    <>
      <PageHeader title="Rails">
        The banks and providers that pay. Credentials are added on the machine, with{' '}
        <code className="text-xs whitespace-nowrap">npm run admin -- add-rail</code>, and are never shown.
      </PageHeader>
      {data === undefined && (error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />)}
      {data !== undefined && (
        <>
          <div className="mb-8 grid gap-4 lg:grid-cols-2">
            {data.records.map((rail) => (
              <RailCard key={rail.railId} rail={rail} />
            ))}
          </div>
          <Section
            title="Order"
            about="For merchants that chose none. Every process knows a change within 5 seconds."
            bare
          >
            <ul className="card divide-y">
              {data.defaults.map((line) => (
                <OrderRow key={line.mode} line={line} onChange={() => setOrdering(line)} />
              ))}
            </ul>
          </Section>
        </>
      )}
      {ordering !== undefined && data !== undefined && (
        <DefaultRailsDialog line={ordering} rails={data.records} onClose={() => setOrdering(undefined)} />
      )}
    </>
  );
}

const NONE_SET: Record<Default['mode'], string> = {
  SANDBOX: 'No rail is set: the built-in one pays.',
  LIVE: 'No rail is set: live payouts cannot be sent.',
};

function OrderRow({ line: { mode, first, second }, onChange }: { line: Default; onChange: () => void }) {
  const word = mode === 'LIVE' ? 'Live' : 'Sandbox';
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5">
      <div>
        <p className="font-medium">{word}</p>
        <p className="text-sm text-muted">
          {first === null ? NONE_SET[mode] : `Pays by ${first}`}
          {second !== null && `; fails over to ${second} where the first certainly did not pay`}
        </p>
      </div>
      <Button size="small" aria-label={`Change the order of ${word.toLowerCase()}`} onClick={onChange}>
        Change
      </Button>
    </li>
  );
}

interface DefaultRailsDialogProps {
  line: Data<'get', '/operator/rail'>['defaults'][number];
  rails: readonly Rail[];
  onClose: () => void;
}

/** Which rail pays for merchants that chose none, and which is failed over to. */
function DefaultRailsDialog({ line, rails, onClose }: DefaultRailsDialogProps) {
  const set = useAction('post', '/operator/rail/default', { changes: ['/operator'] });
  const server = useServerForm({ defaultValues: { first: line.first ?? '', second: line.second ?? '' } });
  const options = rails
    .filter(({ mode, active }) => mode === line.mode && active)
    .map(({ railId }) => ({ value: railId, label: railId }));

  async function send({ first, second }: { first: string; second: string }): Promise<void> {
    await set.run({ body: { mode: line.mode, first, second: second === '' ? null : second } });
    toast({ tone: 'good', text: 'The order is set.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      server={server}
      onSend={send}
      send="Set the order"
      title={`Order of rails, ${modeWord(line.mode)}`}
      description="For merchants that chose none. Payouts that were created before stay where they are."
    >
      {options.length === 0 && (
        <Alert tone="info" title="There is no rail for it yet">
          Add one on the machine, with <code className="text-xs whitespace-nowrap">npm run admin -- add-rail</code>.
        </Alert>
      )}
      <Field form={server.form} name="first" label="Pays" rules={{ required: 'Choose a rail.' }}>
        {(control) => <Select {...control} options={options} placeholder="Choose a rail" />}
      </Field>
      <Field
        form={server.form}
        name="second"
        label="Fails over to"
        optional
        hint="Only payouts that the first rail certainly never received, or refused for reasons of its own."
      >
        {(control) => <Select {...control} options={options} placeholder="None" />}
      </Field>
    </FormDialog>
  );
}
