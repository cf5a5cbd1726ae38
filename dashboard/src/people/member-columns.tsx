import { EllipsisVertical, Mail, ShieldCheck, UserCog, UserMinus } from 'lucide-react';
import type { Data } from '../api/types.ts';
import { IconButton } from '../components/button.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { ROLE_NAMES } from './roles.ts';

export type Member = Data<'get', '/member'>[number];

export interface MemberAction {
  what: 'CHANGE_ROLE' | 'REMOVE' | 'REMIND';
  member: Member;
}

interface MemberColumnsGiven {
  mayManage: boolean;
  isOwner: boolean;
  onAction: (action: MemberAction) => void;
}

export const nameOf = ({ firstName, lastName, email }: Member): string => `${firstName} ${lastName}`.trim() || email;

export function memberColumns({ mayManage, isOwner, onAction }: MemberColumnsGiven): Column<Member>[] {
  const columns: Column<Member>[] = [
    { key: 'name', header: 'Person', cell: (member) => <Who member={member} /> },
    { key: 'role', header: 'Role', cell: ({ role }) => (role === null ? '–' : ROLE_NAMES[role]) },
    { key: 'status', header: 'State', wideOnly: true, cell: ({ status }) => <Status status={status} /> },
    { key: 'factor', header: 'Second factor', wideOnly: true, cell: (member) => <Factor member={member} /> },
    { key: 'seen', header: 'Last seen', wideOnly: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  ];
  if (!mayManage) return columns;
  const actions: Column<Member> = {
    key: 'actions',
    header: <span className="sr-only">Actions</span>,
    align: 'right',
    cell: (member) => {
      const groups = groupsFor(member, isOwner, onAction);
      return groups.length === 0 ? null : (
        <Menu
          trigger={<IconButton icon={EllipsisVertical} label={`Actions for ${nameOf(member)}`} />}
          groups={groups}
        />
      );
    },
  };
  return [...columns, actions];
}

function Who({ member }: { member: Member }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {nameOf(member)}
        {member.you && (
          <Badge tone="quiet" plain>
            You
          </Badge>
        )}
      </p>
      {nameOf(member) !== member.email && <p className="text-xs break-all text-muted">{member.email}</p>}
      {member.status !== 'ACTIVE' && (
        <p className="mt-1 md:hidden">
          <Status status={member.status} />
        </p>
      )}
    </div>
  );
}

function Factor({ member }: { member: Member }) {
  if (member.status === 'INVITED') return <span className="text-muted">–</span>;
  if (!member.secondFactor) return <span className="text-muted">Off</span>;
  return (
    <span className="inline-flex items-center gap-1.5 text-good">
      <ShieldCheck className="size-4" aria-hidden />
      On
    </span>
  );
}

/** Nobody changes themselves, and only an owner touches owners: the service refuses it, so it is not offered. */
function groupsFor(member: Member, isOwner: boolean, onAction: (action: MemberAction) => void): MenuItem[][] {
  if (member.you || (member.role === 'OWNER' && !isOwner)) return [];
  const item = (what: MemberAction['what'], label: string, icon: MenuItem['icon']): MenuItem => ({
    label,
    ...(icon === undefined ? {} : { icon }),
    onSelect: () => onAction({ what, member }),
  });
  const invited = member.status === 'INVITED';
  return [
    [
      ...(invited ? [item('REMIND', 'Send the invitation again', Mail)] : []),
      item('CHANGE_ROLE', 'Change the role', UserCog),
    ],
    [{ ...item('REMOVE', invited ? 'Withdraw the invitation' : 'Remove', UserMinus), danger: true }],
  ];
}
