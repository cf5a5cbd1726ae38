import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { MailSent } from '../sign-in/mails.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';
import { EMAIL_RULES } from '../sign-in/sign-in-form.tsx';

export const Route = createFileRoute('/forgot')({ component: ForgotPage });

function ForgotPage() {
  const [sentTo, setSentTo] = useState<string>();
  const server = useServerForm({ defaultValues: { email: '' } });
  const forgot = useAction('post', '/password/forgot', { changes: [] });
  return (
    <PlainPage
      title="Forgot your password?"
      about="Enter your e-mail address, and we send you a link to choose a new one."
      foot={
        <Link to="/sign-in" className="font-medium text-accent underline">
          Back to the sign-in
        </Link>
      }
    >
      {sentTo === undefined ? (
        <Form
          server={server}
          send="Send the link"
          onSend={async ({ email }) => {
            await forgot.run({ body: { email: email.trim() } });
            setSentTo(email.trim());
          }}
        >
          <Field form={server.form} name="email" label="E-mail" rules={EMAIL_RULES}>
            {(control) => <Input {...control} type="email" autoComplete="username" />}
          </Field>
        </Form>
      ) : (
        <MailSent email={sentTo} what="a link to choose a new password" onBack={() => setSentTo(undefined)} />
      )}
    </PlainPage>
  );
}
