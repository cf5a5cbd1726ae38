import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { MemberChanges } from './changes-waiting.tsx';
import { type MemberAction, memberColumns } from './member-columns.tsx';
import { InviteDialog, MemberDialogs } from './member-dialogs.tsx';
import { ROLE_NAMES, ROLE_PURPOSES, ROLES } from './roles.ts';

/** The people of the business: who belongs to it, as what, and who was invited. */
export function PeoplePage() {
  const mode = useMode();
  const { person } = useSession();
  const mayManage = useMay()('member:manage', mode);
  const members = useRead('/member', {});
  const [inviting, setInviting] = useState(false);
  const [action, setAction] = useState<MemberAction>();
  const shown = members.data?.filter(({ status }) => status !== 'DISABLED');
  const invite = mayManage && (
    <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
      Invite somebody
    </Button>
  );
  return (
    <ListPage
      title="People"
      actions={invite}
      about="Who may do what for the business. Each person signs in with an address and a password of their own."
      intro={<MemberChanges />}
      columns={memberColumns({ mayManage, isOwner: person.role === 'OWNER', onAction: setAction })}
      rowKey={({ personId }) => personId}
      {...(shown === undefined ? {} : { rows: shown })}
      list={{ data: undefined, error: members.error, refetch: members.refetch }}
      empty={
        <EmptyState title="Nobody yet" action={invite}>
          Invite the people who make payouts and those who approve them.
        </EmptyState>
      }
    >
      <div className="mt-8">
        <RolesExplained />
      </div>
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
      <MemberDialogs action={action} onClose={() => setAction(undefined)} />
    </ListPage>
  );
}

function RolesExplained() {
  return (
    <Section title="What each role may do">
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {ROLES.map((role) => (
          <div key={role}>
            <dt className="font-medium">{ROLE_NAMES[role]}</dt>
            <dd className="text-muted">{ROLE_PURPOSES[role]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
