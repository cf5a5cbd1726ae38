import { Check, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useSession } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';

type Change = Data<'get', '/member/change'>[number];
type Status = Data<'post', '/member/change/{changeId}/approve'>['status'];

interface ChangesGiven {
  changes: readonly Change[];
  approve: (changeId: string) => Promise<{ status: Status }>;
  reject: (changeId: string) => Promise<{ status: Status }>;
}

const DONE: Record<Status, string> = {
  PENDING: 'Your agreement counts. More people have to agree.',
  APPROVED: 'Agreed, and done.',
  REJECTED: 'Rejected.',
  WITHDRAWN: 'Withdrawn.',
};

/** Others ask and agree meanwhile. */
const LOOKS_AGAIN = { refetchInterval: 15_000 };

/** What about a merchant's people waits for a second person. */
export function MemberChanges() {
  const changed = { changes: ['/member', '/member/change', '/approval'] };
  const { data = [] } = useRead('/member/change', {}, LOOKS_AGAIN);
  const yes = useAction('post', '/member/change/{changeId}/approve', changed);
  const no = useAction('post', '/member/change/{changeId}/reject', changed);
  return (
    <ChangesWaiting
      changes={data}
      approve={(changeId) => yes.run({ path: { changeId } })}
      reject={(changeId) => no.run({ path: { changeId } })}
    />
  );
}

/** The same for the operator's staff. */
export function StaffChanges() {
  const changed = { changes: ['/operator/person', '/operator/person/change'] };
  const { data = [] } = useRead('/operator/person/change', {}, LOOKS_AGAIN);
  const yes = useAction('post', '/operator/person/change/{changeId}/approve', changed);
  const no = useAction('post', '/operator/person/change/{changeId}/reject', changed);
  return (
    <ChangesWaiting
      changes={data}
      approve={(changeId) => yes.run({ path: { changeId } })}
      reject={(changeId) => no.run({ path: { changeId } })}
    />
  );
}

function ChangesWaiting({ changes, approve, reject }: ChangesGiven) {
  const { person } = useSession();
  const [asking, setAsking] = useState<{ change: Change; yes: boolean }>();
  if (changes.length === 0) return null;
  const isMine = ({ madeBy }: Change) => madeBy.personId === person.personId;
  const decide = async () => {
    if (asking === undefined) return;
    const { status } = await (asking.yes ? approve : reject)(asking.change.changeId);
    toast({ tone: 'good', text: DONE[status] });
  };
  return (
    <Section
      title="Waits for a second person"
      about="Two people choose who decides about what others create. None of these changes is in force yet."
    >
      <ul aria-label="Waits for a second person" className="flex flex-col gap-4">
        {changes.map((change) => (
          <li key={change.changeId} className="flex flex-wrap items-start justify-between gap-3">
            <ChangeWords change={change} isMine={isMine(change)} />
            <div className="flex gap-2">
              {change.mayApprove && (
                <Button look="primary" icon={Check} onClick={() => setAsking({ change, yes: true })}>
                  Agree
                </Button>
              )}
              {change.mayReject && (
                <Button icon={isMine(change) ? Undo2 : X} onClick={() => setAsking({ change, yes: false })}>
                  {isMine(change) ? 'Withdraw' : 'Reject'}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {asking !== undefined && (
        <ConfirmDialog
          open
          onClose={() => setAsking(undefined)}
          title={asking.yes ? 'Agree to this?' : isMine(asking.change) ? 'Withdraw this?' : 'Reject this?'}
          confirm={asking.yes ? 'Agree' : isMine(asking.change) ? 'Withdraw' : 'Reject'}
          danger={!asking.yes}
          onConfirm={decide}
        >
          <p className="font-medium break-words">{asking.change.title}</p>
          <p>
            {asking.yes
              ? `${asking.change.madeBy.name} asked for it. Make sure that it is a person whom you know: they may do all that the role may.`
              : 'Nothing happens, and it can be requested again. Every owner is notified.'}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function ChangeWords({ change, isMine }: { change: Change; isMine: boolean }) {
  const { title, madeBy, madeAt, reason, given, needed, whyNot } = change;
  return (
    <div className="min-w-0 flex-1">
      <p className="font-medium break-words">{title}</p>
      <p className="text-sm text-muted">
        {isMine ? 'You asked' : `${madeBy.name} asked`} <Moment at={madeAt} />. {given} of {needed} agreed.
      </p>
      {reason !== null && <p className="text-sm">Reason given: {reason}</p>}
      {whyNot !== null && !isMine && <p className="text-sm text-muted">{whyNot}</p>}
    </div>
  );
}
