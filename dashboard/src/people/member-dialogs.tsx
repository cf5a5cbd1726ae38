import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { ConfirmDialog } from '../components/dialog.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { WAITS } from './invite-dialog.tsx';
import { KeysTheyMade } from './keys-they-made.tsx';
import { type Member, type MemberAction, nameOf } from './member-columns.tsx';
import { RoleChoice } from './role-choice.tsx';
import { ROLE_NAMES, type Role } from './roles.ts';

/** What is being done with a person, as a dialog that says what it means. */
export function MemberDialogs({ action, onClose }: { action: MemberAction | undefined; onClose: () => void }) {
  if (action === undefined) return null;
  switch (action.what) {
    case 'CHANGE_ROLE':
      return <ChangeRoleDialog member={action.member} onClose={onClose} />;
    case 'REMOVE':
      return <RemoveDialog member={action.member} onClose={onClose} />;
    case 'REMIND':
      return <RemindDialog member={action.member} onClose={onClose} />;
  }
}

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const change = useAction('patch', '/member/{personId}', {
    changes: ['/member', '/member/change', '/approval', '/key'],
  });
  const server = useServerForm<{ role: Role }>({ defaultValues: { role: member.role ?? 'VIEWER' } });
  const [keep, setKeep] = useState(false);

  async function send({ role }: { role: Role }): Promise<void> {
    if (role !== member.role) {
      const body = keep ? { role, keepKeys: true } : { role };
      const { changeId } = await change.run({ path: { personId: member.personId }, body });
      if (changeId !== null) {
        toast({ tone: 'good', text: WAITS });
        onClose();
        return;
      }
    }
    toast({ tone: 'good', text: `${nameOf(member)} is ${ROLE_NAMES[role].toLowerCase()} within two seconds.` });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Role of ${nameOf(member)}`}
      server={server}
      onSend={send}
      send="Change the role"
    >
      <RoleChoice form={server.form} name="role" />
      {member.status === 'ACTIVE' && (
        <KeysTheyMade
          personId={member.personId}
          fate="Those that may do more than the new role are revoked with the change."
          keep={keep}
          onKeep={setKeep}
        />
      )}
    </FormDialog>
  );
}

function RemoveDialog({ member, onClose }: MemberDialogProps) {
  const remove = useAction('delete', '/member/{personId}', { changes: ['/member', '/approval', '/key'] });
  const [keep, setKeep] = useState(false);
  const invited = member.status === 'INVITED';
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      danger
      title={invited ? `Take back the invitation of ${member.email}?` : `Remove ${nameOf(member)}?`}
      confirm={invited ? 'Take it back' : 'Remove'}
      onConfirm={async () => {
        const query = keep ? { keepKeys: true } : {};
        const { keysRevoked } = await remove.run({ path: { personId: member.personId }, query });
        toast({
          tone: 'good',
          text: invited
            ? 'The invitation does not work any more.'
            : `${nameOf(member)} is removed.${revokedWords(keysRevoked)}`,
        });
      }}
    >
      <p>
        {invited
          ? 'The link in the e-mail stops working. You can invite them again.'
          : 'They are signed out within two seconds and cannot sign in again, and invitations that they sent are taken back. What they did stays in the audit log. Scheduled payouts and what waits for approval stay: they are the business’s, so look at them.'}
      </p>
      {!invited && (
        <KeysTheyMade
          personId={member.personId}
          fate="They are revoked in the same step."
          keep={keep}
          onKeep={setKeep}
        />
      )}
    </ConfirmDialog>
  );
}

function revokedWords(keys: number): string {
  if (keys === 0) return '';
  return keys === 1 ? ' One key is revoked.' : ` ${keys} keys are revoked.`;
}

function RemindDialog({ member, onClose }: MemberDialogProps) {
  const remind = useAction('post', '/member/{personId}/remind', { changes: [] });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Send the invitation again?"
      confirm="Send again"
      onConfirm={async () => {
        await remind.run({ path: { personId: member.personId } });
        toast({ tone: 'good', text: `A new invitation is on its way to ${member.email}.` });
      }}
    >
      <p>{member.email} gets a new link for seven days. The one before stops working.</p>
    </ConfirmDialog>
  );
}
