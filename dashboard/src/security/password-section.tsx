import { useAction } from '../api/action.ts';
import { useRenewSession, useSession } from '../api/session.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { PasswordInput } from '../components/inputs.tsx';
import { Section } from '../components/page-header.tsx';
import { toast } from '../components/toast.tsx';
import { NewPasswordField } from '../sign-in/new-password-field.tsx';

const EMPTY = { password: '', newPassword: '' };

/** Changes the password. It ends every other session of the person. */
export function PasswordSection() {
  const { person } = useSession();
  const change = useAction('post', '/password/change', { changes: ['/session'] });
  const renew = useRenewSession();
  const server = useServerForm({ defaultValues: EMPTY });

  async function send(values: typeof EMPTY): Promise<void> {
    await change.run({ body: values });
    server.form.reset(EMPTY);
    toast({ tone: 'good', text: 'The password is changed. Your other sessions are ended.' });
    await renew();
  }

  return (
    <Section title="Password" about="A change ends your other sessions.">
      <Form server={server} onSend={send} send="Change the password">
        {/* Tells a password manager whose password it is. */}
        <input type="text" autoComplete="username" value={person.email} readOnly hidden />
        <Field form={server.form} name="password" label="Password now" rules={{ required: 'Enter your password.' }}>
          {(control) => <PasswordInput {...control} autoComplete="current-password" />}
        </Field>
        <NewPasswordField form={server.form} name="newPassword" label="New password" />
      </Form>
    </Section>
  );
}
