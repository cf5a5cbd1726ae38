import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, CircleCheck } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAction } from '../api/action.ts';
import type { ApiError } from '../api/errors.ts';
import { useMay, useMode, useSession } from '../api/session.ts';
import { NotApproved, WaitingFor } from '../approvals/waiting-for.tsx';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton, Skeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { type Batch, isOpen, isPaid, isPayable, rows, sentenceFor, useBatch } from './batch.ts';
import { BatchOverview } from './batch-overview.tsx';
import type { Settled } from './dispatch-batch.tsx';
import type { ItemsShown } from './items-shown.ts';
import { LeavingRefused } from './leaving-refused.tsx';
import { useLeavingWarning } from './leaving-warning.ts';
import { isSaving, refusedCellsOf, useItemEdits } from './use-item-edits.ts';
import { useItemRemoval } from './use-item-removal.ts';

/** What shows something that has to be read first comes after the page: the table with all that it can do, the problems, the bar. */
const parts = () => import('./batch-parts.ts');
const BatchItems = lazy(() => parts().then((part) => ({ default: part.BatchItems })));
const BatchBar = lazy(() => parts().then((part) => ({ default: part.BatchBar })));
const BatchDifference = lazy(() => parts().then((part) => ({ default: part.BatchDifference })));
const BatchGroups = lazy(() => parts().then((part) => ({ default: part.BatchGroups })));
const BatchOutcome = lazy(() => parts().then((part) => ({ default: part.BatchOutcome })));
const DispatchBatch = lazy(() => parts().then((part) => ({ default: part.DispatchBatch })));
const RepeatList = lazy(() => parts().then((part) => ({ default: part.RepeatList })));

export interface BatchPageProps {
  batchReference: string;
  shown: ItemsShown;
}

/** One bulk payout, from the check of its rows to what became of each. */
export function BatchPage({ batchReference, shown }: BatchPageProps) {
  const mode = useMode();
  const may = useMay();
  const { merchant } = useSession();
  const batch = useBatch(batchReference);
  const edits = useItemEdits(() => void batch.refetch());
  const removal = useItemRemoval(edits.forget);
  const [message, setMessage] = useState<string>();
  useLeavingWarning(isSaving(edits.drafts) || removal.leaving.size > 0);

  if (batch.data === undefined) {
    if (batch.error === null) return <PageSkeleton />;
    return (
      <>
        <PageHeader title="Bulk payout" back={{ to: '/bulk', label: 'All bulk payouts' }} />
        <ErrorState error={batch.error} onRetry={batch.refetch} />
      </>
    );
  }
  const mayWrite = may('payout:write', mode);
  const editable = mayWrite && isOpen(batch.data);
  const mayHaveBeenRejected =
    merchant?.isMakerCheckerEnabled === true || batch.data.reason?.startsWith('APPROVAL_') === true;
  async function settle(): Promise<Settled> {
    const isRemoved = await removal.finish();
    const refusedCells = await edits.settled();
    const { data } = await batch.refetch();
    return { batch: data, refusedCells, isRemoved };
  }
  function changed(words?: string): void {
    setMessage(words);
    void batch.refetch();
  }
  return (
    <>
      <BatchHeader batch={batch.data} mayWrite={mayWrite} />
      <LeavingRefused cells={refusedCellsOf(edits.drafts)} />
      {batch.error !== null && <StaleNote error={batch.error} readAt={batch.dataUpdatedAt} />}
      {message !== undefined && (
        <Alert tone="bad" className="mb-6">
          {message}
        </Alert>
      )}
      <UploadWarnings batchReference={batchReference} />
      <WaitingFor subjectId={batch.data.id} waits={batch.data.status === 'PENDING_APPROVAL'} />
      <NotApproved subjectId={batch.data.id} enabled={isPayable(batch.data) && mayHaveBeenRejected} />
      {batch.data.dispatchedAt !== null && (
        <Suspense>
          <BatchOutcome batch={batch.data} shown={shown} mayWrite={mayWrite} />
        </Suspense>
      )}
      {isOpen(batch.data) && (
        <Suspense>
          <BatchDifference batchReference={batchReference} enabled={batch.data.status !== 'VALIDATING'} />
          <BatchGroups batch={batch.data} editable={editable} />
        </Suspense>
      )}
      <BatchOverview batch={batch.data} />
      <div className="mb-6 flex min-h-10 flex-wrap items-center gap-2">
        <Downloads batch={batch.data} />
        {mayWrite && isPaid(batch.data) && (
          <Suspense>
            <RepeatList batchReference={batchReference} />
          </Suspense>
        )}
        {mayWrite && batch.data.status === 'DISPATCHING' && (
          <p className="text-xs text-muted">“Same as last month” is here once every payout has its outcome.</p>
        )}
        {mayWrite && isOpen(batch.data) && <CancelBatch batch={batch.data} />}
      </div>
      <Suspense fallback={<Skeleton className="h-96 w-full rounded-card" />}>
        <BatchItems batch={batch.data} shown={shown} edits={edits} removal={removal} editable={editable} />
      </Suspense>
      {mayWrite && isPayable(batch.data) && (
        <Suspense>
          <BatchBar batch={batch.data}>
            <DispatchBatch batch={batch.data} settle={settle} onChanged={changed} />
          </BatchBar>
        </Suspense>
      )}
    </>
  );
}

function BatchHeader({ batch, mayWrite }: { batch: Batch; mayWrite: boolean }) {
  const origin = batch.source === 'JSON' ? 'sent over the API' : 'uploaded';
  return (
    <PageHeader
      title={batch.fileName ?? 'List sent over the API'}
      beside={<Status status={batch.status} reason={batch.reason} />}
      back={{ to: '/bulk', label: 'All bulk payouts' }}
    >
      <p aria-live="polite">{sentenceFor(batch, mayWrite)}</p>
      <p className="mt-1 text-xs">
        {batch.batchReference}, {origin} <Moment at={batch.createdAt} />
        {batch.dispatchedAt !== null && (
          <>
            , dispatched <Moment at={batch.dispatchedAt} />
          </>
        )}
        <MadeFrom reference={batch.originBatchReference}>what was not paid of another list</MadeFrom>
        <MadeFrom reference={batch.repeatedBatchReference}>the same people as another list</MadeFrom>
      </p>
    </PageHeader>
  );
}

/** The earlier list that it was made from, where it was. */
function MadeFrom({ reference, children }: { reference: string | null; children: ReactNode }) {
  if (reference === null) return null;
  return (
    <>
      ,{' '}
      <Link to="/bulk/$batchReference" params={{ batchReference: reference }} className="text-accent underline">
        {children}
      </Link>
    </>
  );
}

/** The page asks again by itself; until it is answered, nobody should take the old figures for the new ones. */
function StaleNote({ error, readAt }: { error: ApiError; readAt: number }) {
  const why = error.status === 0 ? 'The service is not reachable right now.' : error.message;
  return (
    <Alert tone="warn" className="mb-6">
      {why} You see the list as it was at <Moment at={new Date(readAt).toISOString()} show="time" />; this page asks
      again by itself.
    </Alert>
  );
}

/** What was corrected or not used while the file was read; shown once, where the upload led to. */
function UploadWarnings({ batchReference }: { batchReference: string }) {
  const warnings = useQueryClient().getQueryData<readonly string[]>(['upload-warnings', batchReference]);
  const [read, setRead] = useState(false);
  if (warnings === undefined || warnings.length === 0 || read) return null;
  return (
    <Alert
      tone="info"
      title="About the file"
      className="mb-6"
      action={
        <Button size="small" look="quiet" icon={CircleCheck} onClick={() => setRead(true)}>
          Understood
        </Button>
      }
    >
      <ul className="list-disc pl-4">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Downloads({ batch: { batchReference, counts, dispatchedAt } }: { batch: Batch }) {
  const name = encodeURIComponent(batchReference);
  return (
    <>
      {dispatchedAt !== null && (
        <DownloadButton address={`/payout/bulk/${name}/result.csv`} fileName={`${batchReference}-result.csv`}>
          Results
        </DownloadButton>
      )}
      {counts.invalid > 0 && (
        <DownloadButton address={`/payout/bulk/${name}/rejected.csv`} fileName={`${batchReference}-rejected.csv`}>
          Rows to correct
        </DownloadButton>
      )}
    </>
  );
}

function CancelBatch({ batch: { batchReference, counts } }: { batch: Batch }) {
  const [asking, setAsking] = useState(false);
  const cancel = useAction('post', '/payout/bulk/cancel');
  return (
    <>
      <Button look="quiet" icon={Ban} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Cancel this bulk payout?"
        confirm="Cancel it"
        cancel="Keep it"
        danger
        onConfirm={() => cancel.run({ body: { batchReference } })}
      >
        <p>It has {rows(counts.total)}. Nothing of it will be paid, and it cannot be taken up again.</p>
      </ConfirmDialog>
    </>
  );
}
