import { EllipsisVertical, Mail, UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button, IconButton } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Menu } from '../components/menu.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { StaffChanges } from '../people/changes-waiting.tsx';

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
              An unknown outcome takes two people, and so does an invitation. Create the second account at the terminal,
              with create-operator.
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

export type StaffPerson = Data<'get', '/operator/person'>[number];

interface StaffAction {
  what: 'REMOVE' | 'REMIND';
  person: StaffPerson;
}

const nameOfStaff = ({ firstName, lastName, email }: StaffPerson): string => `${firstName} ${lastName}`.trim() || email;

function staffColumns(onAction: (action: StaffAction) => void): readonly Column<StaffPerson>[] {
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
      {nameOfStaff(person) !== person.email && <p className="text-xs break-all text-muted">{person.email}</p>}
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
    label: invited ? 'Withdraw the invitation' : 'Remove',
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

const STAFF = { changes: ['/operator/person'] };

/** Removing a colleague, or sending an invitation again. */
function StaffDialog({ action: { what, person }, onClose }: { action: StaffAction; onClose: () => void }) {
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
        <p>{person.email} gets a new link for seven days. The previous link stops working.</p>
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

/** Sends a colleague a link with which they join the operator's staff. */
function InviteStaffDialog({ onClose }: { onClose: () => void }) {
  const invite = useAction('post', '/operator/person/invite', {
    changes: ['/operator/person', '/operator/person/change'],
  });
  const server = useServerForm({ defaultValues: { email: '' } });

  async function send({ email }: { email: string }): Promise<void> {
    await invite.run({ body: { email: email.trim() } });
    toast({ tone: 'good', text: `A colleague has to agree first; then ${email.trim()} gets the invitation.` });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Invite a colleague"
      description="Once a colleague has agreed, they get an e-mail with a link that works for seven days. Whoever joins may do everything that you may."
      server={server}
      onSend={send}
      send="Ask a colleague to agree"
    >
      <Field form={server.form} name="email" label="E-mail" rules={{ required: 'Enter an e-mail address.' }}>
        {(control) => <Input {...control} type="email" autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}
