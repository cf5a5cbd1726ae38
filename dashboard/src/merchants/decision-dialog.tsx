import { useAction } from '../api/action.ts';
import { Alert } from '../components/alert.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { closingWords, type Decision, openingWords } from './decision-words.ts';
import type { Merchant } from './merchant.ts';

interface DecisionProps {
  decision: Decision;
  merchant: Merchant;
  onClose: () => void;
}

/** Asks before a decision about a merchant, with the reason where it needs one. */
export function DecisionDialog({ decision, merchant, onClose }: DecisionProps) {
  if (decision === 'approve' || decision === 'reinstate') {
    return <Opening decision={decision} merchant={merchant} onClose={onClose} />;
  }
  return <Closing decision={decision} merchant={merchant} onClose={onClose} />;
}

const CHANGES = { changes: ['/operator'] };

function Opening({ decision, merchant, onClose }: DecisionProps & { decision: 'approve' | 'reinstate' }) {
  const approve = useAction('post', '/operator/merchant/{merchantId}/approve', CHANGES);
  const reinstate = useAction('post', '/operator/merchant/{merchantId}/reinstate', CHANGES);
  const { merchantId, onboarding } = merchant;
  const missing = onboarding.steps.filter(({ done }) => !done).map(({ title }) => title.toLowerCase());
  const isApproval = decision === 'approve';
  const { title, about, confirm, done } = openingWords(decision, merchant);

  async function go(): Promise<void> {
    const { submittedAt } = merchant;
    // What is approved is what is shown: what was submitted anew meanwhile is refused.
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
