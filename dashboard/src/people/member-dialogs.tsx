import { useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Checkbox, ChoiceGroup, Radio } from '../components/choices.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field, FieldError } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { type Member, type MemberAction, nameOf } from './member-columns.tsx';
import { ROLE_NAMES, ROLE_PURPOSES, type Role, useGivableRoles } from './roles.ts';

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
      title={invited ? `Withdraw the invitation of ${member.email}?` : `Remove ${nameOf(member)}?`}
      confirm={invited ? 'Withdraw' : 'Remove'}
      onConfirm={async () => {
        const query = keep ? { keepKeys: true } : {};
        const { keysRevoked } = await remove.run({ path: { personId: member.personId }, query });
        toast({
          tone: 'good',
          text: invited
            ? 'The invitation no longer works.'
            : `${nameOf(member)} is removed.${revokedWords(keysRevoked)}`,
        });
      }}
    >
      <p>
        {invited
          ? 'The link in the e-mail stops working. You can invite them again.'
          : 'They are signed out within two seconds and cannot sign in again, and invitations that they sent are withdrawn. What they did stays in the audit log. Scheduled payouts and what waits for approval stay: they are the business’s, so look at them.'}
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
      <p>{member.email} gets a new link for seven days. The previous link stops working.</p>
    </ConfirmDialog>
  );
}

interface KeysTheyMadeProps {
  personId: string;
  /** What becomes of them unless they are kept. */
  fate: string;
  keep: boolean;
  onKeep: (keep: boolean) => void;
}

/** The keys in force that somebody made, and whether they are to go on without them; nothing where there are none. */
function KeysTheyMade({ personId, fate, keep, onKeep }: KeysTheyMadeProps) {
  const mayManage = useMay()('member:manage', useMode());
  const { data: keys = [] } = useRead('/member/{personId}/key', { path: { personId } }, { enabled: mayManage });
  if (keys.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p>
        {keys.length === 1
          ? 'They created a key that is in force.'
          : `They created ${keys.length} keys that are in force.`}{' '}
        {fate}
      </p>
      <ul aria-label="Keys that they created" className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {keys.map(({ keyId, name, prefix, lastFour, mode }) => (
          <li key={keyId} className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name === '' ? 'Without a name' : name}</span>
            <span className="font-mono text-xs text-muted">
              {prefix}…{lastFour}
            </span>
            <Badge tone={mode === 'LIVE' ? 'good' : 'quiet'} plain>
              {mode === 'LIVE' ? 'Live' : 'Sandbox'}
            </Badge>
          </li>
        ))}
      </ul>
      <Checkbox
        label="Keep these keys in force"
        hint="Programs go on with them. Whoever has a copy can, too: rotate them soon. The audit log says that you kept them."
        checked={keep}
        onChange={(event) => onKeep(event.target.checked)}
      />
    </div>
  );
}

interface Invitation {
  email: string;
  role: Role;
}

/** While approvals are on, for a role that decides. */
const WAITS = 'It waits until a second person has agreed.';

/** Sends somebody a link with which they join the business. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <OpenInviteDialog onClose={onClose} /> : null;
}

function OpenInviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useAction('post', '/member/invite', { changes: ['/member', '/member/change'] });
  const server = useServerForm<Invitation>({ defaultValues: { email: '', role: 'MAKER' } });

  async function send({ email, role }: Invitation): Promise<void> {
    const { changeId } = await invite.run({ body: { email: email.trim(), role } });
    const sent = `An invitation is on its way to ${email.trim()}.`;
    toast({ tone: 'good', text: changeId === null ? sent : WAITS });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Invite somebody"
      description="They get an e-mail with a link that works for seven days, and choose a password of their own."
      server={server}
      onSend={send}
      send="Send invitation"
    >
      <Field
        form={server.form}
        name="email"
        label="E-mail"
        rules={{
          required: 'Enter an e-mail address.',
          pattern: { value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, message: 'This is not an e-mail address.' },
        }}
      >
        {(control) => <Input {...control} type="email" autoComplete="off" placeholder="bola@adafoods.example" />}
      </Field>
      <RoleChoice form={server.form} name="role" />
    </FormDialog>
  );
}

interface RoleChoiceProps<T extends FieldValues> {
  form: UseFormReturn<T>;
  name: FieldPath<T>;
}

/** Which role, each with what it is for. */
function RoleChoice<T extends FieldValues>({ form, name }: RoleChoiceProps<T>) {
  const roles = useGivableRoles();
  const error = form.getFieldState(name, form.formState).error?.message;
  return (
    <div className="flex flex-col gap-1.5">
      <ChoiceGroup legend="Role">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={ROLE_NAMES[role]}
            hint={ROLE_PURPOSES[role]}
            {...form.register(name, { required: 'Choose a role.' })}
          />
        ))}
      </ChoiceGroup>
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  );
}
