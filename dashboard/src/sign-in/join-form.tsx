import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Input } from '../components/input.tsx';
import { ROLE_NAMES, ROLE_PURPOSES } from '../components/role-names.ts';
import { useServerForm } from '../components/use-server-form.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PlainPage } from './plain-page.tsx';
import { useSignedIn } from './use-signed-in.ts';

interface JoinFormProps {
  token: string;
  invitation: Data<'post', '/invitation/look'>;
}

/** Says who invites whom to what, before anything is typed. */
export function JoinForm({ token, invitation }: JoinFormProps) {
  const { email, businessName, role, invitedBy } = invitation;
  const server = useServerForm({ defaultValues: { firstName: '', lastName: '', password: '' } });
  const accept = useAction('post', '/invitation/accept', { changes: [] });
  const goOn = useSignedIn();
  return (
    <PlainPage
      title={`Join ${businessName ?? 'the operator'}`}
      about={
        <>
          {invitedBy} invites {email}
          {role !== null && (
            <>
              {' '}
              as <strong className="font-semibold text-ink">{ROLE_NAMES[role]}</strong>. {ROLE_PURPOSES[role]}
            </>
          )}
        </>
      }
    >
      <Form
        server={server}
        send="Join"
        onSend={async (values) => {
          await accept.run({ body: { token, ...values } });
          await goOn();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={server.form} name="firstName" label="First name" rules={{ required: 'Enter your first name.' }}>
            {(control) => <Input {...control} autoComplete="given-name" />}
          </Field>
          <Field form={server.form} name="lastName" label="Last name" rules={{ required: 'Enter your last name.' }}>
            {(control) => <Input {...control} autoComplete="family-name" />}
          </Field>
        </div>
        {/* For the password manager, which keeps the password under it. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField form={server.form} name="password" />
      </Form>
    </PlainPage>
  );
}
