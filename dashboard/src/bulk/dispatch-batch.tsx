import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { ApiError } from '../api/errors.ts';
import { useLacksPin, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Checkbox } from '../components/choices.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PinDialog } from '../components/pin-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount, formatMoney } from '../format/money.ts';
import { type Batch, isPayable, rows } from './batch.ts';

/** How things stand once everything that was typed or removed has been answered. */
export interface Settled {
  /** As it is after that; undefined where it could not be read. */
  batch: Batch | undefined;
  /** Cells that show something that was not taken. */
  refusedCells: number;
  /** False where a row that was removed may still be in the list. */
  isRemoved: boolean;
}

export interface DispatchBatchProps {
  batch: Batch;
  /** Sends what was typed or removed and is still on its way. */
  settle: () => Promise<Settled>;
  /** Reads the batch again. The message is shown on the page, also when nothing is left to pay. */
  onChanged: (message?: string) => void;
}

/** Pays what is shown, or puts it before an approver. It carries the digest that is on the screen. */
export function DispatchBatch({ batch, settle, onChanged }: DispatchBatchProps) {
  const { merchant } = useSession();
  const lacksPin = useLacksPin();
  // What is asked about stays as it was shown: who looks at one digest does not pay another.
  const [asking, setAsking] = useState<Batch>();
  const [settling, setSettling] = useState(false);
  const dispatch = useAction('post', '/payout/bulk/dispatch');
  const needsApproval = merchant?.isMakerCheckerEnabled === true;

  async function open(): Promise<void> {
    setSettling(true);
    const now = await settle();
    setSettling(false);
    if (now.refusedCells > 0) return onChanged(notTaken(now.refusedCells));
    if (!now.isRemoved) return onChanged(NOT_REMOVED);
    if (now.batch === undefined) return onChanged('The list could not be read just now. Try again in a moment.');
    onChanged();
    if (isPayable(now.batch) && now.batch.digest !== null) setAsking(now.batch);
  }
  async function send(shown: Batch, pin: string): Promise<void> {
    const { batchReference, digest, counts, duplicates } = shown;
    const flags = {
      ...(counts.invalid > 0 ? { skipInvalid: true } : {}),
      ...(duplicates.count > 0 ? { allowDuplicate: true, duplicates: duplicates.count } : {}),
    };
    try {
      await dispatch.run({ body: { pin, batchReference, ...(digest === null ? {} : { digest }), ...flags } });
      toast({ tone: 'good', text: needsApproval ? 'It waits for approval now.' : 'It is on its way.' });
    } catch (error) {
      const message = refusalOf(error);
      if (message === undefined) throw error;
      return onChanged(message);
    }
    onChanged();
  }

  if (lacksPin) return <PinMissing />;
  return (
    <>
      <Button
        look="primary"
        icon={Send}
        busy={settling}
        disabled={batch.digest === null || batch.counts.valid === 0}
        onClick={() => void open()}
      >
        {needsApproval ? 'Send for approval' : 'Pay'}
      </Button>
      {asking !== undefined && (
        <DispatchDialog
          batch={asking}
          needsApproval={needsApproval}
          onClose={() => setAsking(undefined)}
          onSend={(pin) => send(asking, pin)}
        />
      )}
    </>
  );
}

interface DispatchDialogProps {
  batch: Batch;
  needsApproval: boolean;
  onClose: () => void;
  onSend: (pin: string) => Promise<void>;
}

function DispatchDialog({ batch, needsApproval, onClose, onSend }: DispatchDialogProps) {
  const [skips, setSkips] = useState(false);
  const [means, setMeans] = useState(false);
  const { counts, duplicates, totals, digest } = batch;
  const leavesOut = counts.invalid > 0;
  const repeats = duplicates.count > 0;
  return (
    <PinDialog
      open
      onClose={onClose}
      title={needsApproval ? 'Send for approval' : `Pay ${rows(counts.valid)}`}
      confirm={needsApproval ? 'Send for approval' : `Pay ${formatMoney(totals.total)}`}
      missing={leavesOut && !skips ? MUST_CHOOSE : repeats && !means ? MUST_MEAN : undefined}
      onConfirm={onSend}
    >
      <DescriptionList
        layout="rows"
        items={[
          { label: 'Rows that are paid', value: rows(counts.valid), figure: true },
          ...namesLine(counts),
          { label: 'To people', value: <Amount value={totals.amount} /> },
          { label: 'Fees', value: <Amount value={totals.fee} /> },
          { label: 'VAT', value: <Amount value={totals.vat} /> },
          { label: 'Stamp duty', value: <Amount value={totals.stampDuty} /> },
          { label: 'Leaves the wallet', value: <Amount value={totals.total} className="font-semibold" /> },
          { label: 'Digest', value: <ShortDigest digest={digest ?? ''} /> },
        ]}
      />
      {leavesOut && (
        <Checkbox
          label={`Leave ${rows(counts.invalid)} out`}
          hint="What cannot be paid stays behind. You can download it afterwards, correct it and upload it again."
          checked={skips}
          onChange={(event) => setSkips(event.target.checked)}
        />
      )}
      {repeats && (
        <Checkbox
          label={`Pay ${rows(duplicates.count)} again, ${formatMoney(duplicates.amount)} in all`}
          hint="The same amount to the same account was paid, waits or stands above. The notes of the rows say where."
          checked={means}
          onChange={(event) => setMeans(event.target.checked)}
        />
      )}
      {needsApproval && (
        <p className="text-muted">
          Nothing is paid or held until another person has approved it. Each change of a row ends the approval.
        </p>
      )}
    </PinDialog>
  );
}

/** Names that somebody should have looked at, said once more to who pays. */
function namesLine({ lowMatch, valid }: Batch['counts']) {
  if (lowMatch === 0) return [];
  const value = <span className="font-semibold text-warn">{`${formatCount(lowMatch)} of ${formatCount(valid)}`}</span>;
  return [{ label: 'Names that differ from the bank’s', value, figure: true }];
}

/** Both ends of it: enough to compare with the page, or with what a colleague reads out. */
function ShortDigest({ digest }: { digest: string }) {
  return (
    <code className="text-xs" title={digest}>
      {digest.slice(0, 8)} … {digest.slice(-8)}
    </code>
  );
}

function notTaken(cells: number): string {
  const what = cells === 1 ? 'One cell shows' : `${cells} cells show`;
  return `${what} what was not taken, and not what would be paid. Correct it, or press Esc in it, before you pay.`;
}

const NOT_REMOVED =
  'A row that you removed may still be in the list, and would be paid. Look whether it is, and remove it again.';
const MUST_CHOOSE = 'Some rows cannot be paid. Tick that they are left out, or close this and correct them first.';

const MUST_MEAN =
  'Some rows repeat other payments. Tick that they are meant twice, or close this and take them out first.';

/** Refusals that are about the batch and not about the PIN, in words for a person at a screen. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  switch (error.code) {
    case 'BATCH_DUPLICATE':
      return 'More rows repeat other payments than you saw. Nothing was paid. Look at them again under Repeats.';
    case 'BATCH_ALREADY_DISPATCHED':
    case 'BATCH_PENDING_APPROVAL':
      return `${sentence(error.message)} Another tab or a colleague was first; you see it as it is now.`;
    case 'BATCH_DIGEST_MISMATCH':
    case 'BATCH_CHANGED':
      return 'Somebody changed a row or the charges changed since you looked. Nothing was paid. Look at it again.';
    case 'BATCH_HAS_INVALID_ITEMS':
      return 'A row became invalid since you looked. Nothing was paid. Correct it, or leave it out.';
    case 'BATCH_ALREADY_CANCELLED':
    case 'BATCH_EXPIRED':
    case 'BATCH_VALIDATING':
      return sentence(error.message);
    default:
      return undefined;
  }
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

function PinMissing() {
  return (
    <Alert
      tone="warn"
      className="basis-full"
      title="There is no PIN yet"
      action={
        <ButtonLink to="/settings/pin" size="small">
          Set the PIN
        </ButtonLink>
      }
    >
      Paying takes the PIN of the business in this mode. An owner or an administrator sets it.
    </Alert>
  );
}
