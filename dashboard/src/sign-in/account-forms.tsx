import { useAction } from '../api/action.ts';
import type { ApiError } from '../api/errors.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { ROLE_NAMES, ROLE_PURPOSES } from '../people/roles.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PlainPage } from './plain-page.tsx';
import { useSignedIn } from './sign-in-form.tsx';

const NOTHING = { businessName: '', firstName: '', lastName: '', phoneNumber: '', password: '' };

/** What it takes to begin: the business, who speaks for it, and the password that goes with the confirmed address. */
export function OpenAccountForm({ token, email, onDead }: { token: string; email: string; onDead: () => void }) {
  const server = useServerForm({ defaultValues: NOTHING });
  const confirm = useAction('post', '/sign-up/confirm', { changes: [] });
  const goOn = useSignedIn();
  const { form } = server;
  return (
    <PlainPage
      title="Open your account"
      about={`${email} is confirmed. A little about your business, and the sandbox is there.`}
    >
      <Form
        server={server}
        send="Open the account"
        onSend={async (values) => {
          try {
            await confirm.run({ body: { token, ...values } });
          } catch (error) {
            if (OVER.has((error as ApiError).code)) onDead();
            throw error;
          }
          await goOn();
        }}
      >
        <Field
          form={form}
          name="businessName"
          label="Business name"
          rules={{ required: 'Enter the name of the business.' }}
        >
          {(control) => <Input {...control} autoComplete="organization" />}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="firstName" label="First name" rules={{ required: 'Enter your first name.' }}>
            {(control) => <Input {...control} autoComplete="given-name" />}
          </Field>
          <Field form={form} name="lastName" label="Last name" rules={{ required: 'Enter your last name.' }}>
            {(control) => <Input {...control} autoComplete="family-name" />}
          </Field>
        </div>
        <Field form={form} name="phoneNumber" label="Phone number" rules={{ required: 'Enter a phone number.' }}>
          {(control) => <Input {...control} type="tel" autoComplete="tel" placeholder="0803 123 4567" />}
        </Field>
        {/* For the password manager, which keeps the password under it. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField form={form} name="password" />
      </Form>
    </PlainPage>
  );
}

/** Of two links to one address the first that is used makes the account. */
const OVER: ReadonlySet<string> = new Set(['LINK_INVALID', 'EMAIL_TAKEN']);

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
