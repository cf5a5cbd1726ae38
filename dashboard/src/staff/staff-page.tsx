import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { StaffChanges } from '../people/changes-waiting.tsx';
import { InviteStaffDialog } from './invite-staff-dialog.tsx';
import { type StaffAction, staffColumns } from './staff-columns.tsx';
import { StaffDialog } from './staff-dialog.tsx';

/** The operator's own people. All of them may do the same; what is final takes two of them. */
export function StaffPage() {
  const staff = useRead('/operator/person', {});
  const [inviting, setInviting] = useState(false);
  const [action, setAction] = useState<StaffAction>();
  const shown = staff.data?.filter(({ status }) => status !== 'DISABLED');
  const isAlone = shown?.filter(({ status }) => status === 'ACTIVE').length === 1;
  const invite = (
    <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
      Invite somebody
    </Button>
  );
  return (
    <ListPage
      title="People"
      actions={invite}
      about="The operator's staff. Everybody here may do the same, and what they do is in the audit log."
      intro={
        <>
          {isAlone && (
            <Alert tone="warn" title="You are the only one" className="mb-4">
              An unknown outcome takes two people, and so does inviting one. The second of the staff is made at the
              terminal, with create-operator.
            </Alert>
          )}
          <StaffChanges />
        </>
      }
      caption="The operator's people"
      columns={staffColumns(setAction)}
      rowKey={({ personId }) => personId}
      {...(shown === undefined ? {} : { rows: shown })}
      list={{ data: undefined, error: staff.error, refetch: staff.refetch }}
      empty={<EmptyState title="Nobody yet">Invite your colleagues.</EmptyState>}
    >
      {inviting && <InviteStaffDialog onClose={() => setInviting(false)} />}
      {action !== undefined && <StaffDialog action={action} onClose={() => setAction(undefined)} />}
    </ListPage>
  );
}
