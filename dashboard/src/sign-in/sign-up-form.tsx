import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Input } from '../components/input.tsx';
import { useServerForm } from '../components/use-server-form.ts';
import { EMAIL_RULES } from './email-rules.ts';
import { NewPasswordField } from './new-password-field.tsx';

const NOTHING = { businessName: '', firstName: '', lastName: '', phoneNumber: '', email: '', password: '' };

/** What it takes to begin: the business, who speaks for it, and how they sign in. */
export function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
  const server = useServerForm({ defaultValues: NOTHING });
  const signUp = useAction('post', '/sign-up', { changes: [] });
  const { form } = server;
  return (
    <Form
      server={server}
      send="Open an account"
      onSend={async (values) => {
        const email = values.email.trim();
        await signUp.run({ body: { ...values, email } });
        onSent(email);
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
      <Field form={form} name="email" label="E-mail" rules={EMAIL_RULES}>
        {(control) => <Input {...control} type="email" autoComplete="username" />}
      </Field>
      <NewPasswordField form={form} name="password" />
    </Form>
  );
}
