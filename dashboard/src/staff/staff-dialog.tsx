import { useAction } from '../api/action.ts';
import { ConfirmDialog } from '../components/dialog.tsx';
import { toast } from '../components/toast.tsx';
import { nameOfStaff, type StaffAction } from './staff-columns.tsx';

const STAFF = { changes: ['/operator/person'] };

/** Removing a colleague, or sending an invitation again. */
export function StaffDialog({ action: { what, person }, onClose }: { action: StaffAction; onClose: () => void }) {
  const remove = useAction('delete', '/operator/person/{personId}', STAFF);
  const remind = useAction('post', '/operator/person/{personId}/remind', STAFF);
  const path = { personId: person.personId };
  if (what === 'REMIND') {
    const again = async () => {
      await remind.run({ path });
      toast({ tone: 'good', text: `A new invitation is on its way to ${person.email}.` });
    };
    return (
      <ConfirmDialog open onClose={onClose} title="Send the invitation again?" confirm="Send again" onConfirm={again}>
        <p>{person.email} gets a new link for seven days. The one before stops working.</p>
      </ConfirmDialog>
    );
  }
  const name = nameOfStaff(person);
  const go = async () => {
    await remove.run({ path });
    toast({ tone: 'good', text: `${name} is removed.` });
  };
  return (
    <ConfirmDialog open onClose={onClose} title={`Remove ${name}?`} confirm="Remove" danger onConfirm={go}>
      <p>They are signed out within two seconds and cannot sign in again. What they did stays in the audit log.</p>
    </ConfirmDialog>
  );
}
