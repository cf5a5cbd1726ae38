import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { MailSent } from '../sign-in/mails.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';
import { EMAIL_RULES } from '../sign-in/sign-in-form.tsx';

export const Route = createFileRoute('/sign-up')({ component: SignUpPage });

function SignUpPage() {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <PlainPage
      title="Open an account"
      about={
        sentTo === undefined &&
        'The sandbox is yours at once, with test money. Live opens when we have reviewed your documents.'
      }
      foot={
        <p>
          Already here?{' '}
          <Link to="/sign-in" className="font-medium text-accent underline">
            Sign in
          </Link>
        </p>
      }
    >
      {/* Stays in the page, so that a mistyped address can be corrected. */}
      <div hidden={sentTo !== undefined}>
        <SignUpForm onSent={setSentTo} />
      </div>
      {sentTo !== undefined && (
        <MailSent email={sentTo} what="a link to continue" onBack={() => setSentTo(undefined)} />
      )}
    </PlainPage>
  );
}

/** Nothing but the address: the person who opens the mailed link is asked for the rest. */
function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
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
