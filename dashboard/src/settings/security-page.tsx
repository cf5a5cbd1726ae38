import { useAction } from '../api/action.ts';
import { useRenewSession, useSession } from '../api/session.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { PasswordInput } from '../components/inputs.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { toast } from '../components/toast.tsx';
import { NewPasswordField } from '../sign-in/new-password-field.tsx';
import { SecondFactorSection } from './second-factor.tsx';
import { SessionsSection } from './sessions.tsx';

/** How a person signs in, and where they are signed in: for merchants' people and the operator's alike. */
export function SecurityPage() {
  const { person } = useSession();
  return (
    <>
      <PageHeader title="Your sign-in and sessions">You sign in as {person.email}.</PageHeader>
      <div className="grid items-start gap-x-6 lg:grid-cols-2">
        <PasswordSection />
        <SecondFactorSection />
      </div>
      <SessionsSection />
    </>
  );
}

const EMPTY = { password: '', newPassword: '' };

/** Changes the password. It ends every other session of the person. */
function PasswordSection() {
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
        <Field form={server.form} name="password" label="Current password" rules={{ required: 'Enter your password.' }}>
          {(control) => <PasswordInput {...control} autoComplete="current-password" />}
        </Field>
        <NewPasswordField form={server.form} name="newPassword" label="New password" />
      </Form>
    </Section>
  );
}
