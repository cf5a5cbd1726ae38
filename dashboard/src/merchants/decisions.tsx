import { Ban, CircleCheck, CircleX, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import type { Merchant } from './merchant.tsx';

/** What can be decided about a merchant where it stands now. */
export function DecisionButtons({ merchant }: { merchant: Merchant }) {
  const [decision, setDecision] = useState<Decision>();
  const { status, reviewStatus, submittedAt } = merchant;
  const isPending = status === 'PENDING';
  const asks = wantsChanges(merchant);
  return (
    <>
      {status === 'ACTIVE' && (
        <Button look={asks ? 'secondary' : 'danger'} icon={Ban} onClick={() => setDecision('suspend')}>
          Suspend
        </Button>
      )}
      {((isPending && (reviewStatus !== 'REJECTED' || submittedAt !== null)) || asks) && (
        <Button icon={CircleX} onClick={() => setDecision('reject')}>
          {asks ? 'Reject the changes' : 'Reject'}
        </Button>
      )}
      {(isPending || asks) && (
        <Button look="primary" icon={CircleCheck} onClick={() => setDecision('approve')}>
          {asks ? 'Accept the changes' : 'Approve'}
        </Button>
      )}
      {status === 'SUSPENDED' && (
        <Button look="primary" icon={RotateCcw} onClick={() => setDecision('reinstate')}>
          Reinstate
        </Button>
      )}
      {decision !== undefined && (
        <DecisionDialog decision={decision} merchant={merchant} onClose={() => setDecision(undefined)} />
      )}
    </>
  );
}

interface DecisionProps {
  decision: Decision;
  merchant: Merchant;
  onClose: () => void;
}

/** Asks before a decision about a merchant, with the reason where it needs one. */
function DecisionDialog({ decision, merchant, onClose }: DecisionProps) {
  if (decision === 'approve' || decision === 'reinstate') {
    return <Opening decision={decision} merchant={merchant} onClose={onClose} />;
  }
  return <Closing decision={decision} merchant={merchant} onClose={onClose} />;
}

const CHANGES = { changes: ['/operator'] };

function Opening({ decision, merchant: now, onClose }: DecisionProps & { decision: 'approve' | 'reinstate' }) {
  // What was submitted again while somebody was asked is another thing: they have not read it.
  const [merchant] = useState(now);
  const approve = useAction('post', '/operator/merchant/{merchantId}/approve', CHANGES);
  const reinstate = useAction('post', '/operator/merchant/{merchantId}/reinstate', CHANGES);
  const { merchantId, onboarding } = merchant;
  const missing = onboarding.steps.filter(({ done }) => !done).map(({ title }) => title.toLowerCase());
  const isApproval = decision === 'approve';
  const { title, about, confirm, done } = openingWords(decision, merchant);

  async function go(): Promise<void> {
    const { submittedAt } = merchant;
    // What is approved is what is shown: what was submitted again in the meantime is refused.
    if (isApproval) await approve.run({ path: { merchantId }, query: submittedAt === null ? {} : { submittedAt } });
    else await reinstate.run({ path: { merchantId } });
    toast({ tone: 'good', text: done });
  }

  return (
    <ConfirmDialog open onClose={onClose} title={title} confirm={confirm} onConfirm={go}>
      <p>{about}</p>
      {isApproval && missing.length > 0 && (
        <Alert tone="warn" title="Its profile is not complete">
          Missing: {missing.join(', ')}.
        </Alert>
      )}
    </ConfirmDialog>
  );
}

function Closing({ decision, merchant, onClose }: DecisionProps & { decision: 'reject' | 'suspend' }) {
  const reject = useAction('post', '/operator/merchant/{merchantId}/reject', CHANGES);
  const suspend = useAction('post', '/operator/merchant/{merchantId}/suspend', CHANGES);
  const server = useServerForm({ defaultValues: { reason: '' } });
  const { merchantId } = merchant;
  const isRejection = decision === 'reject';
  const { title, about, confirm, done } = closingWords(decision, merchant);

  async function send({ reason }: { reason: string }): Promise<void> {
    await (isRejection ? reject : suspend).run({ path: { merchantId }, body: { reason } });
    toast({ tone: 'good', text: done });
    onClose();
  }

  return (
    <FormDialog onClose={onClose} title={title} description={about} server={server} onSend={send} send={confirm} danger>
      <Field
        form={server.form}
        name="reason"
        label="Reason"
        hint={isRejection ? 'The merchant reads this: say what to correct.' : 'For the history.'}
        rules={{ required: 'Give a reason.' }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}

type Decision = 'approve' | 'reject' | 'suspend' | 'reinstate';

/** A merchant that is taken in asks for its accepted details to be changed. */
export const wantsChanges = ({ status, submittedAt }: Merchant) => status === 'ACTIVE' && submittedAt !== null;

/** What is asked, and what is said afterwards. */
interface DecisionWords {
  title: string;
  about: string;
  confirm: string;
  done: string;
}

/** For what opens the service to a merchant. */
function openingWords(decision: 'approve' | 'reinstate', merchant: Merchant): DecisionWords {
  const { businessName } = merchant;
  if (decision === 'reinstate') {
    return {
      title: `Reinstate ${businessName}?`,
      about: 'Its keys and pages work again within two seconds, and payouts that waited go within five minutes.',
      confirm: 'Reinstate',
      done: `${businessName} is active again.`,
    };
  }
  if (wantsChanges(merchant) && merchant.onboarding.changesAccount && merchant.onboarding.confirmedBy === null) {
    return {
      title: `Confirm the changes of ${businessName}?`,
      about: 'They name another settlement account, so another of your people has to accept them after you.',
      confirm: 'Confirm the changes',
      done: `You have confirmed them. Another of your people has to accept the changes of ${businessName}.`,
    };
  }
  if (wantsChanges(merchant)) {
    return {
      title: `Accept the changes of ${businessName}?`,
      about: 'Its new details are in force from now on.',
      confirm: 'Accept the changes',
      done: `The changes of ${businessName} are in force.`,
    };
  }
  return {
    title: `Approve ${businessName}?`,
    about: 'Its live keys and pages open within two seconds, and it may move real money.',
    confirm: 'Approve',
    done: `${businessName} may go live.`,
  };
}

/** For what closes it, with a reason. */
function closingWords(decision: 'reject' | 'suspend', merchant: Merchant): DecisionWords {
  const { businessName } = merchant;
  if (decision === 'suspend') {
    return {
      title: `Suspend ${businessName}?`,
      about:
        'Within two seconds its keys and pages stop, in the sandbox too. Schedules that come due fail. What has not been sent to a bank yet waits, with its money held.',
      confirm: 'Suspend',
      done: `${businessName} is suspended.`,
    };
  }
  if (wantsChanges(merchant)) {
    return {
      title: `Reject the changes of ${businessName}?`,
      about: 'It reads your reason and may submit others. The accepted details stay in force.',
      confirm: 'Reject the changes',
      done: `The changes of ${businessName} are rejected.`,
    };
  }
  return {
    title: `Reject ${businessName}?`,
    about: 'It reads your reason, corrects its profile and submits again. The sandbox stays open to it.',
    confirm: 'Reject',
    done: `${businessName} is rejected.`,
  };
}
