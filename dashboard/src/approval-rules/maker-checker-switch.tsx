import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRenewSession } from '../api/session.ts';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Switch } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { changedWords, type Rules } from './rules.ts';

/** Approvals on or off, after a word about what that means. */
export function MakerCheckerSwitch({ rules, mayManage }: { rules: Rules; mayManage: boolean }) {
  const change = useAction('patch', '/approval/rules', { changes: ['/approval', '/merchant/info'] });
  const renew = useRenewSession();
  const [asking, setAsking] = useState(false);
  const isOn = rules.isMakerCheckerEnabled;
  return (
    <>
      <Switch
        label="A second person approves"
        hint={isOn ? 'What one person makes waits until others approve it.' : 'What somebody makes goes at once.'}
        checked={isOn}
        disabled={!mayManage}
        onChange={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={isOn ? 'Switch approvals off?' : 'Switch approvals on?'}
        confirm={isOn ? 'Ask to switch off' : 'Switch on'}
        onConfirm={async () => {
          const changed = await change.run({ body: { isMakerCheckerEnabled: !isOn } });
          toast({ tone: changed.approvalId === null ? 'good' : 'info', text: changedWords(changed) });
          await renew();
        }}
      >
        <p>
          {isOn
            ? 'This needs the approval of others itself. From then on, whoever knows the PIN sends money alone.'
            : 'From then on every payout, batch, schedule, new beneficiary and change of limits waits for somebody else, also what your programs send. Money is held meanwhile.'}
        </p>
      </ConfirmDialog>
    </>
  );
}
