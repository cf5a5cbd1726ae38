import { useAction } from '../api/action.ts';
import { NoteDialog } from '../components/note-dialog.tsx';
import type { OperatorDispute, ReportedDispute } from './dispute-words.ts';

const FOUND_OUT = 'What you found out';

/** Notes what was found out about a report that leads to no payment. */
export function DismissDialog({ reported, onClose }: { reported: ReportedDispute; onClose: () => void }) {
  const dismiss = useAction('post', '/operator/dispute/reported/dismiss', { changes: ['/operator'] });
  const { rail, providerDisputeId } = reported;
  return (
    <NoteDialog
      title={`Dismiss ${providerDisputeId}`}
      description="No money moves. Where the provider reports it once more it stays dismissed."
      label={FOUND_OUT}
      action="Dismiss"
      done="It waits for nobody any more."
      onSend={(note) => dismiss.run({ body: { rail, providerDisputeId, note } })}
      onClose={onClose}
    />
  );
}

/** Notes what was found out about a dispute whose end its provider contradicts. */
export function LookedIntoDialog({ dispute, onClose }: { dispute: OperatorDispute; onClose: () => void }) {
  const look = useAction('post', '/operator/dispute/looked-into', { changes: ['/operator'] });
  const { merchantId, mode, disputeId } = dispute;
  return (
    <NoteDialog
      title="What does the provider mean?"
      description="No money moves. Nobody has to look at it any more, unless the provider changes its word once more."
      label={FOUND_OUT}
      action="Note it"
      done="Nobody has to look at it any more."
      onSend={(note) => look.run({ body: { merchantId, mode, disputeId, note } })}
      onClose={onClose}
    />
  );
}
