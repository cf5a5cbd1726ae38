import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Input } from '../components/input.tsx';
import { useServerForm } from '../components/use-server-form.ts';
import { EMAIL_RULES } from './email-rules.ts';

/** Nothing but the address: the rest is asked of whoever opens the link that goes to it. */
export function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
  const server = useServerForm({ defaultValues: { email: '' } });
  const signUp = useAction('post', '/sign-up', { changes: [] });
  return (
    <Form
      server={server}
      send="Send the link"
      onSend={async (values) => {
        const email = values.email.trim();
        await signUp.run({ body: { email } });
        onSent(email);
      }}
    >
      <Field form={server.form} name="email" label="E-mail" rules={EMAIL_RULES}>
        {(control) => <Input {...control} type="email" autoComplete="username" />}
      </Field>
    </Form>
  );
}
