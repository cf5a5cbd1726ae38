import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, CircleCheck, LoaderCircle, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { isAnswered } from '../api/action.ts';
import { call } from '../api/call.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { useMode } from '../api/session.ts';
import { ActionBar } from '../components/action-bar.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Labelled } from '../components/field.tsx';
import { Textarea } from '../components/inputs.tsx';
import { formatCount, formatMoney, sumMoney } from '../format/money.ts';
import type { Approval } from './approval-words.ts';

/** Decisions on their way at once: each is a request of its own, and one of a long list takes some seconds. */
const AT_ONCE = 3;

type Decision = 'APPROVE' | 'REJECT';

export interface DecideSeveralProps {
  /** What was ticked, as the person saw it. */
  chosen: readonly Approval[];
  onClear: () => void;
}

/** What was ticked, what it comes to, and the decision about all of it, in reach at the foot of the page. */
export function DecideSeveral({ chosen, onClear }: DecideSeveralProps) {
  const [asking, setAsking] = useState<Decision>();
  if (chosen.length === 0 && asking === undefined) return null;
  const approvable = chosen.filter(({ mayApprove }) => mayApprove);
  return (
    <>
      <ActionBar label="What is selected">
        <p className="min-w-0">
          <span className="block text-xs text-muted">{countOf(chosen)} selected, with charges</span>
          <span className="figures font-semibold">{formatMoney(totalOf(chosen))}</span>
        </p>
        <div className="flex flex-1 flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={onClear}>
            Clear
          </Button>
          <Button icon={X} onClick={() => setAsking('REJECT')}>
            Reject
          </Button>
          {approvable.length > 0 && (
            <Button look="primary" icon={Check} onClick={() => setAsking('APPROVE')}>
              Approve {formatCount(approvable.length)}
            </Button>
          )}
        </div>
      </ActionBar>
      {asking !== undefined && (
        <SeveralDialog
          decision={asking}
          chosen={asking === 'APPROVE' ? approvable : chosen}
          onClose={(decided) => {
            setAsking(undefined);
            if (decided) onClear();
          }}
        />
      )}
    </>
  );
}

const countOf = (approvals: readonly Approval[]): string =>
  `${formatCount(approvals.length)} ${approvals.length === 1 ? 'approval' : 'approvals'}`;

const totalOf = (approvals: readonly Approval[]): number => sumMoney(approvals.map(({ total }) => total ?? 0));

type Result = 'WAITS' | 'RUNNING' | 'DONE' | { refused: string; isUnanswered: boolean };

interface SeveralDialogProps {
  decision: Decision;
  chosen: readonly Approval[];
  /** @param decided whether anything was sent */
  onClose: (decided: boolean) => void;
}

/** Asks once, then decides about each on its own: one that is refused stops none of the others. */
function SeveralDialog({ decision, chosen: ticked, onClose }: SeveralDialogProps) {
  // What was ticked when it opened: what others do meanwhile changes nothing of it.
  const [chosen] = useState(ticked);
  const [note, setNote] = useState('');
  const [missing, setMissing] = useState<string>();
  const { results, isRunning, isBegun, decide } = useDecisions(decision, chosen);
  const isApproval = decision === 'APPROVE';
  const open = chosen.filter(({ approvalId }) => isOpen(results.get(approvalId)));

  function go(): void {
    const hasReason = isApproval || note.trim() !== '';
    setMissing(hasReason ? undefined : 'Give a reason, so that it can be corrected.');
    if (hasReason) void decide(note.trim());
  }
  const verb = isApproval ? 'Approve' : 'Reject';
  return (
    <Dialog
      open
      onClose={() => onClose(isBegun)}
      locked={isRunning}
      title={isBegun ? doneTitle(isApproval, chosen.length, results) : `${verb} ${countOf(chosen)}?`}
      actions={
        <>
          <Button disabled={isRunning} onClick={() => onClose(isBegun)}>
            {isBegun ? 'Close' : 'Cancel'}
          </Button>
          {open.length > 0 && (
            <Button look={isApproval ? 'primary' : 'danger'} busy={isRunning} onClick={go}>
              {isBegun ? 'Try again' : `${verb} ${formatCount(chosen.length)}`}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="figures text-lg font-semibold">{formatMoney(totalOf(chosen))} with charges</p>
        {!isBegun && (
          <p className="text-muted">
            {isApproval
              ? 'Each is approved on its own, exactly as you saw it. What somebody changed or withdrew meanwhile is left as it is, and says so.'
              : 'Each is rejected on its own. What was held for it goes back to the wallet.'}
          </p>
        )}
        <ul className="flex flex-col divide-y" aria-live="polite">
          {chosen.map((approval) => (
            <ResultLine
              key={approval.approvalId}
              approval={approval}
              result={results.get(approval.approvalId)}
              done={isApproval ? 'Approved' : 'Rejected'}
            />
          ))}
        </ul>
        {!isBegun && (
          <Labelled
            label={isApproval ? 'Note' : 'Reason'}
            optional={isApproval}
            hint="The same for all of them. Others see it, and it stays in the records."
            error={missing}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxLength={500}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </Labelled>
        )}
      </div>
    </Dialog>
  );
}

/** Not decided: nothing was sent of it yet, or nobody knows what became of it. */
const isOpen = (result: Result | undefined): boolean =>
  result === undefined || result === 'WAITS' || (typeof result === 'object' && result.isUnanswered);

function doneTitle(isApproval: boolean, count: number, results: ReadonlyMap<string, Result>): string {
  const done = [...results.values()].filter((result) => result === 'DONE').length;
  return `${formatCount(done)} of ${formatCount(count)} ${isApproval ? 'approved' : 'rejected'}`;
}

/** Each decision under a key of its own, which it keeps until an answer came: asked again, it counts once. */
function useDecisions(decision: Decision, chosen: readonly Approval[]) {
  const mode = useMode();
  const queries = useQueryClient();
  const keys = useRef(new Map<string, string>());
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const set = (id: string, result: Result) => setResults((before) => new Map(before).set(id, result));

  async function decideOne({ approvalId, digest }: Approval, note: string): Promise<void> {
    const key = keys.current.get(approvalId) ?? crypto.randomUUID();
    keys.current.set(approvalId, key);
    set(approvalId, 'RUNNING');
    const path = { approvalId };
    try {
      if (decision === 'REJECT') {
        await call('post', '/approval/{approvalId}/reject', { path, body: { note } }, { mode, key });
      } else {
        const body = { digest, ...(note === '' ? {} : { note }) };
        await call('post', '/approval/{approvalId}/approve', { path, body }, { mode, key });
      }
      set(approvalId, 'DONE');
    } catch (error) {
      const isUnanswered = !(error instanceof ApiError) || !isAnswered(error);
      set(approvalId, { refused: messageOf(error), isUnanswered });
    }
  }

  async function decide(note: string): Promise<void> {
    setRunning(true);
    const waiting = chosen.filter(({ approvalId }) => isOpen(results.get(approvalId)));
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await decideOne(next, note);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work));
    setRunning(false);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === mode });
  }

  return { results, isRunning, isBegun: results.size > 0, decide };
}

function ResultLine({ approval, result, done }: { approval: Approval; result: Result | undefined; done: string }) {
  const refused = typeof result === 'object' ? result.refused : undefined;
  return (
    <li className="flex items-start justify-between gap-4 py-2">
      <span className="min-w-0 wrap-anywhere">
        {approval.title}
        {refused !== undefined && <span className="block text-xs font-medium text-bad">{refused}</span>}
      </span>
      <span className="flex shrink-0 items-center gap-1.5 text-xs">
        {result === 'DONE' && (
          <>
            <CircleCheck className="size-4 text-good" aria-hidden />
            {done}
          </>
        )}
        {result === 'RUNNING' && <LoaderCircle className="size-4 animate-spin" aria-label="On its way" />}
        {refused !== undefined && (
          <>
            <CircleAlert className="size-4 text-bad" aria-hidden />
            Not done
          </>
        )}
      </span>
    </li>
  );
}
