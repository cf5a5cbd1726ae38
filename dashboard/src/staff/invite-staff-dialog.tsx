import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';

/** Sends a colleague a link with which they join the operator's staff. */
export function InviteStaffDialog({ onClose }: { onClose: () => void }) {
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
