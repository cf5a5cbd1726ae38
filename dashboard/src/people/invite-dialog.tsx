import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { RoleChoice } from './role-choice.tsx';
import type { Role } from './roles.ts';

interface Invitation {
  email: string;
  role: Role;
}

/** While approvals are on, for a role that decides. */
export const WAITS = 'It waits until a second person has agreed.';

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
          pattern: { value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, message: 'This is no e-mail address.' },
        }}
      >
        {(control) => <Input {...control} type="email" autoComplete="off" placeholder="bola@adafoods.example" />}
      </Field>
      <RoleChoice form={server.form} name="role" />
    </FormDialog>
  );
}
