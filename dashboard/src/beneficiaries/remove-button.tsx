import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import { IconButton } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { toast } from '../components/toast.tsx';
import type { Beneficiary } from './beneficiary.ts';

/**
 * Takes a beneficiary off the list. It can be taken back at once; where saving needs an approval it cannot, so there it
 * asks first.
 */
export function RemoveButton({ beneficiary }: { beneficiary: Beneficiary }) {
  const { beneficiaryId, bankCode, accountNumber, nickname, accountName } = beneficiary;
  const remove = useAction('delete', '/beneficiary/{beneficiaryId}', { changes: ['/beneficiary'] });
  const save = useAction('post', '/beneficiary', { changes: ['/beneficiary'] });
  const needsApproval = useSession().merchant?.isMakerCheckerEnabled === true;
  const [asking, setAsking] = useState(false);
  const name = nickname ?? accountName;

  async function takeOff(): Promise<void> {
    await remove.run({ path: { beneficiaryId } });
    const text = `${name} is off the list.`;
    toast({ tone: 'info', text, ...(needsApproval ? {} : { action: { label: 'Undo', onClick: () => void undo() } }) });
  }
  async function undo(): Promise<void> {
    try {
      await save.run({ body: { bankCode, accountNumber, ...(nickname === null ? {} : { nickname }) } });
      toast({ tone: 'good', text: `${name} is back.` });
    } catch (error) {
      toast({ tone: 'bad', text: `${name} could not be put back. ${messageOf(error)}` });
    }
  }
  async function takeOffAtOnce(): Promise<void> {
    try {
      await takeOff();
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }

  return (
    <>
      <IconButton
        icon={Trash2}
        label={`Remove ${name}`}
        disabled={remove.isPending}
        onClick={() => (needsApproval ? setAsking(true) : void takeOffAtOnce())}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${name}?`}
        confirm="Remove"
        danger
        onConfirm={takeOff}
      >
        It goes at once. To have it back it has to be saved and approved again.
      </ConfirmDialog>
    </>
  );
}
