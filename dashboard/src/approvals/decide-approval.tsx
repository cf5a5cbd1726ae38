import { Check, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { ApiError } from '../api/errors.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { formatMoney } from '../format/money.ts';
import { type Approval, effectOf } from './approval-words.ts';

export interface DecideApprovalProps {
  approval: Approval;
  mayWithdraw: boolean;
  /** A refusal that is about the approval and not about what was typed. */
  onNotice: (notice: string | undefined) => void;
  onChanged: () => void;
}

type Asking = 'APPROVE' | 'REJECT' | 'WITHDRAW' | undefined;

/** Approve, reject, take back: whichever the person may do. */
export function DecideApproval(props: DecideApprovalProps) {
  const { approval, mayWithdraw } = props;
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  return (
    <>
      {approval.mayDecide && (
        <>
          {approval.mayApprove && (
            <Button look="primary" icon={Check} onClick={() => setAsking('APPROVE')}>
              Approve
            </Button>
          )}
          <Button icon={X} onClick={() => setAsking('REJECT')}>
            Reject
          </Button>
        </>
      )}
      {mayWithdraw && (
        <Button icon={Undo2} onClick={() => setAsking('WITHDRAW')}>
          Withdraw
        </Button>
      )}
      {asking === 'APPROVE' && <ApproveDialog {...props} onClose={close} />}
      {asking === 'REJECT' && <RejectDialog {...props} onClose={close} />}
      <WithdrawDialog {...props} open={asking === 'WITHDRAW'} onClose={close} />
    </>
  );
}

type InDialog = DecideApprovalProps & { onClose: () => void };

/** Somebody changed or decided it first: the dialog goes, and the page says what is the case. */
function useDecision({ onNotice, onChanged, onClose }: InDialog) {
  return async (decide: () => Promise<unknown>, done: string): Promise<void> => {
    onNotice(undefined);
    try {
      await decide();
      toast({ tone: 'good', text: done });
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 409 && error.code !== 'SELF_APPROVAL')) throw error;
      onNotice(error.message);
    }
    onClose();
    onChanged();
  };
}

function ApproveDialog(props: InDialog) {
  const { approval, onClose } = props;
  const server = useServerForm({ defaultValues: { note: '' } });
  const approve = useAction('post', '/approval/{approvalId}/approve');
  const decided = useDecision(props);
  const { approvalId, digest, total, currency } = approval;

  async function send({ note }: { note: string }): Promise<void> {
    const body = { digest, ...(note.trim() === '' ? {} : { note: note.trim() }) };
    await decided(() => approve.run({ path: { approvalId }, body }), 'Approved.');
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Approve this?"
      description={approval.title}
      server={server}
      onSend={send}
      send="Approve"
    >
      {total !== null && <p className="text-lg font-semibold figures">{formatMoney(total, currency)} with charges</p>}
      <p>{effectOf(approval)}</p>
      <Field form={server.form} name="note" label="Note" optional hint="Others see it, and it stays in the records.">
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}

function RejectDialog(props: InDialog) {
  const { approval, onClose } = props;
  const server = useServerForm({ defaultValues: { note: '' } });
  const reject = useAction('post', '/approval/{approvalId}/reject');
  const decided = useDecision(props);

  async function send({ note }: { note: string }): Promise<void> {
    const input = { path: { approvalId: approval.approvalId }, body: { note: note.trim() } };
    await decided(() => reject.run(input), 'Rejected.');
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Reject this?"
      description={approval.title}
      server={server}
      onSend={send}
      send="Reject"
      danger
    >
      <p>Nothing is paid or changed. What was held for it goes back to the wallet.</p>
      <Field
        form={server.form}
        name="note"
        label="Reason"
        hint={`${approval.madeBy.name} reads it.`}
        rules={{ validate: (text) => (text.trim() === '' ? 'Give a reason, so that it can be corrected.' : undefined) }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}

function WithdrawDialog(props: InDialog & { open: boolean }) {
  const { approval, open, onClose } = props;
  const withdraw = useAction('post', '/approval/{approvalId}/withdraw');
  const decided = useDecision(props);
  const input = { path: { approvalId: approval.approvalId }, body: {} };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Withdraw this?"
      confirm="Withdraw"
      danger
      onConfirm={() => decided(() => withdraw.run(input), 'Withdrawn.')}
    >
      <p>
        It can no longer be approved. What was held for it goes back to the wallet; a list can be corrected and sent
        again.
      </p>
    </ConfirmDialog>
  );
}
