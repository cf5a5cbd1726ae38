import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { DefaultRailsDialog } from './default-rails-dialog.tsx';
import { RailCard } from './rail-card.tsx';

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
        The banks and providers that pay. Credentials are added on the machine, with npm run admin -- add-rail, and are
        never shown.
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
          {second !== null && `; ${second} takes over where the first certainly did not pay`}
        </p>
      </div>
      <Button size="small" aria-label={`Change the order of ${word.toLowerCase()}`} onClick={onChange}>
        Change
      </Button>
    </li>
  );
}
