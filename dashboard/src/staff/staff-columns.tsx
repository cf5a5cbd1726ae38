import { EllipsisVertical, Mail, UserMinus } from 'lucide-react';
import type { Data } from '../api/types.ts';
import { IconButton } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';

export type StaffPerson = Data<'get', '/operator/person'>[number];

export interface StaffAction {
  what: 'REMOVE' | 'REMIND';
  person: StaffPerson;
}

export const nameOfStaff = ({ firstName, lastName, email }: StaffPerson): string =>
  `${firstName} ${lastName}`.trim() || email;

export function staffColumns(onAction: (action: StaffAction) => void): readonly Column<StaffPerson>[] {
  return [
    { key: 'name', header: 'Person', cell: (person) => <Who person={person} /> },
    { key: 'status', header: 'State', cell: ({ status }) => <Status status={status} /> },
    {
      key: 'factor',
      header: 'Second factor',
      wideOnly: true,
      cell: ({ secondFactor, status }) => (status === 'INVITED' ? '–' : secondFactor ? 'On' : 'Off'),
    },
    { key: 'seen', header: 'Last seen', wideOnly: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
    {
      key: 'actions',
      header: <span className="sr-only">Actions</span>,
      align: 'right',
      cell: (person) => (person.you ? null : <Actions person={person} onAction={onAction} />),
    },
  ];
}

function Who({ person }: { person: StaffPerson }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {nameOfStaff(person)}
        {person.you && (
          <Badge tone="quiet" plain>
            You
          </Badge>
        )}
      </p>
      <p className="text-xs break-all text-muted">{person.email}</p>
    </div>
  );
}

function Actions({ person, onAction }: { person: StaffPerson; onAction: (action: StaffAction) => void }) {
  const invited = person.status === 'INVITED';
  const remind = {
    label: 'Send the invitation again',
    icon: Mail,
    onSelect: () => onAction({ what: 'REMIND', person }),
  };
  const remove = {
    label: invited ? 'Take the invitation back' : 'Remove',
    icon: UserMinus,
    danger: true,
    onSelect: () => onAction({ what: 'REMOVE', person }),
  };
  return (
    <Menu
      trigger={<IconButton icon={EllipsisVertical} label={`Actions for ${nameOfStaff(person)}`} />}
      groups={invited ? [[remind], [remove]] : [[remove]]}
    />
  );
}
