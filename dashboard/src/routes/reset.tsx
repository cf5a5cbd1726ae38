import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import type { ApiError } from '../api/errors.ts';
import { ButtonLink } from '../components/button.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Skeleton } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { DeadLink, useMailedLink } from '../sign-in/mailed-link.tsx';
import { NewPasswordField } from '../sign-in/new-password-field.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

export const Route = createFileRoute('/reset')({ component: ResetPage });

const TITLE = 'Choose a new password';

/** Says that a link is dead before a password is typed. */
function ResetPage() {
  const look = useAction('post', '/password/look', { changes: [] });
  const { token, found } = useMailedLink((mailed) => look.run({ body: { token: mailed } }));
  const [died, setDied] = useState<string>();

  const message = died ?? look.error?.message;
  if (token === undefined || message !== undefined) {
    return (
      <PlainPage title={TITLE}>
        <DeadLink {...(message === undefined ? {} : { message })}>
          <ButtonLink to="/forgot" look="primary">
            Request a new link
          </ButtonLink>
        </DeadLink>
      </PlainPage>
    );
  }
  if (found === undefined) {
    return (
      <PlainPage title={TITLE}>
        <Skeleton className="h-64" />
      </PlainPage>
    );
  }
  return <NewPasswordForm token={token} email={found.email} onDead={setDied} />;
}

interface NewPasswordFormProps {
  token: string;
  email: string;
  onDead: (message: string) => void;
}

function NewPasswordForm({ token, email, onDead }: NewPasswordFormProps) {
  const navigate = useNavigate();
  const server = useServerForm({ defaultValues: { password: '' } });
  const reset = useAction('post', '/password/reset', { changes: [] });
  return (
    <PlainPage title={TITLE} about={`For ${email}. All your other sessions are signed out.`}>
      <Form
        server={server}
        send="Save the password"
        onSend={async ({ password }) => {
          try {
            await reset.run({ body: { token, password } });
          } catch (error) {
            const { code, message } = error as ApiError;
            if (code === 'LINK_INVALID') onDead(message);
            throw error;
          }
          toast({ tone: 'good', text: 'Your password is changed. Sign in with the new one.' });
          await navigate({ to: '/sign-in' });
        }}
      >
        {/* For the password manager, which keeps the password under it. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField form={server.form} name="password" label="New password" />
      </Form>
    </PlainPage>
  );
}
