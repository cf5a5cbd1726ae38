import { CircleCheck, CircleHelp, CircleX, ShieldCheck } from 'lucide-react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton, Progress } from '../components/states.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { ProofState } from './proof.tsx';

type Run = NonNullable<Data<'get', '/operator/verify'>>;
type Check = Run['checks'][number];

const LOOK_AGAIN_MS = 1_000;

/** Runs `verify` and shows every check in words. */
export function VerifyPage() {
  const { data, error, refetch } = useRead('/operator/verify', {}, { refetchInterval: pollInterval });
  const overview = useRead(
    '/operator/overview',
    {},
    { enabled: data?.state === 'FAILED' || data?.state === 'RUNNING' },
  );
  const prove = useAction('post', '/operator/verify', { changes: ['/operator/verify', '/operator/overview'] });
  const isRunning = data?.state === 'RUNNING';
  const make = (
    <Button
      look="primary"
      icon={ShieldCheck}
      busy={prove.isPending || isRunning}
      onClick={() => void prove.run({}).catch(() => undefined)}
    >
      {isRunning ? 'Running' : 'Run the checks'}
    </Button>
  );
  return (
    <>
      <PageHeader title="Money safety" actions={data === null ? undefined : make}>
        Runs every check of the books. It only reads, and payouts continue.
      </PageHeader>
      {prove.error !== undefined && <ErrorState error={prove.error} />}
      {data === undefined && (error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />)}
      {data === null && (
        <div className="card">
          <EmptyState icon={ShieldCheck} title="Not checked yet" action={make}>
            The checks add up every transfer, every hold and every payout and say where something does not agree. Run
            them every day, and after anything unusual.
          </EmptyState>
        </div>
      )}
      {data != null && <Proof run={data} wereWrong={overview.data?.booksWrong === true} />}
    </>
  );
}

/** A finished proof stays as it is until somebody makes another. */
function pollInterval({
  state: { data },
}: {
  state: { data: Data<'get', '/operator/verify'> | undefined };
}): number | false {
  return data?.state === 'RUNNING' ? LOOK_AGAIN_MS : false;
}

const WHAT_TO_DO = (
  <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5">
    <li>Stop the serve and work processes.</li>
    <li>Back the database up as it is, and change no row by hand.</li>
    <li>Report it with the places that the check names. Operations, “What to do when”, has the details.</li>
  </ol>
);

/** Files that the operator abandoned are named, and are all that is missing. */
const isAbandoned = (unproven: readonly Check[]) => unproven.some(({ violations }) => violations > 0);

/** @param props.wereWrong the last proof that came to a verdict found an error: one under way or failed does not take it back */
function Proof({ run, wereWrong }: { run: Run; wereWrong: boolean }) {
  const wrong = run.checks.filter(({ ok, isUnproven }) => !ok && !isUnproven);
  const unproven = run.checks.filter(({ isUnproven }) => isUnproven);
  const right = run.checks.filter(({ ok }) => ok);
  return (
    <>
      {run.state === 'WRONG' && (
        <Alert tone="bad" title="The books are wrong" className="mb-6">
          <p>
            {wrong.length === 1 ? 'One check' : `${wrong.length} checks`} found an error. Stop all payouts until the
            cause is known:
          </p>
          {WHAT_TO_DO}
        </Alert>
      )}
      {wereWrong && (run.state === 'FAILED' || run.state === 'RUNNING') && (
        <Alert tone="bad" title="The books were wrong at the last completed check" className="mb-6">
          <p>Only a check that is completed can take that back. Stop all payouts until the cause is known:</p>
          {WHAT_TO_DO}
        </Alert>
      )}
      {run.state === 'ATTENTION' && (
        <Alert tone="warn" title="The books are right, but what is kept beside them is not" className="mb-6">
          <p>Payouts need not stop. What is wrong is named below:</p>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            <li>Totals and the directory are made anew by the command rebuild-totals.</li>
            <li>Entries of the audit log are sealed by the workers: see that they run.</li>
          </ul>
        </Alert>
      )}
      {run.state === 'FAILED' && (
        <Alert tone="warn" title="The checks could not be completed" className="mb-6">
          {unproven.length === 0
            ? "This says nothing about the books. Try again; the service's log has the reason."
            : isAbandoned(unproven)
              ? 'Nothing wrong was found in the books. Files of archived events were abandoned, so of their merchants not all is proven. Payouts need not stop.'
              : 'Nothing wrong was found in the books, and some checks need files of archived events that are not there or not what was written. ARCHIVE_DIR says where they are; bring those that are lost back from a copy. Payouts need not stop.'}
        </Alert>
      )}
      <Section title="Last check">
        {run.state === 'RUNNING' ? (
          <Progress
            label="Checks"
            done={run.checks.length}
            total={run.checksInAll}
            text={`${run.checks.length} of ${run.checksInAll}`}
          />
        ) : (
          <Facts run={run} />
        )}
      </Section>
      <Section title="Checks" about="What holds when the books are right." bare>
        {wrong.length > 0 && <Checks checks={wrong} />}
        {unproven.length > 0 && <Checks checks={unproven} />}
        <details className="card mt-3 first:mt-0">
          <summary className="cursor-pointer px-4 py-3 font-medium sm:px-5">
            {right.length === 1 ? '1 check holds' : `${formatCount(right.length)} checks hold`}
          </summary>
          <Checks checks={right} />
        </details>
      </Section>
    </>
  );
}

function Facts({ run }: { run: Run }) {
  const { state, startedAt, durationMs, startedBy, checks, checksInAll, sizes } = run;
  const counted = sizes === null ? [] : Object.entries(sizes);
  return (
    <DescriptionList
      items={[
        { label: 'Result', value: <ProofState state={state} /> },
        { label: 'Created', value: <Moment at={startedAt} /> },
        { label: 'By', value: startedBy },
        { label: 'Took', value: `${(durationMs / 1000).toFixed(1)} s`, figure: true },
        { label: 'Checks', value: `${checks.length} of ${checksInAll}`, figure: true },
        ...counted.map(([name, count]) => ({
          label: `${name.charAt(0).toUpperCase()}${name.slice(1)} looked at`,
          value: formatCount(count),
          figure: true,
        })),
      ]}
    />
  );
}

function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="card divide-y">
      {checks.map((check) => (
        <CheckRow key={check.name} check={check} />
      ))}
    </ul>
  );
}

function CheckRow({ check: { name, sentence, ok, isUnproven, violations, examples } }: { check: Check }) {
  const Icon = ok ? CircleCheck : isUnproven ? CircleHelp : CircleX;
  const color = ok ? 'text-good' : isUnproven ? 'text-muted' : 'text-bad';
  return (
    <li className="flex gap-3 px-4 py-3 sm:px-5">
      <Icon className={`mt-0.5 size-5 shrink-0 ${color}`} aria-hidden />
      <div className="min-w-0">
        <p>
          <span className="sr-only">{ok ? 'Right: ' : isUnproven ? 'Not known: ' : 'Wrong: '}</span>
          {sentence}
        </p>
        <p className="text-xs text-muted">{name}</p>
        {!ok && violations > 0 && (
          <ul className="mt-2 flex flex-col gap-1 text-sm">
            <li className={`font-medium ${color}`}>
              {formatCount(violations)} {isUnproven ? 'abandoned' : violations === 1 ? 'place' : 'places'}
            </li>
            {examples.map(({ merchantId, mode, detail }) => (
              <li key={`${merchantId}${mode}${detail}`} className="break-words">
                {merchantId} {mode}: {detail}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
