import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useAction } from '../api/action.ts';
import { ButtonLink } from '../components/button.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { DeadLink, useLinkToken } from '../sign-in/mailed-link.tsx';
import { NewPasswordField } from '../sign-in/new-password-field.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

export const Route = createFileRoute('/reset')({ component: ResetPage });

function ResetPage() {
  const token = useLinkToken();
  const navigate = useNavigate();
  const server = useServerForm({ defaultValues: { password: '' } });
  const reset = useAction('post', '/password/reset', { changes: [] });
  const isDead = token === undefined || reset.error?.code === 'LINK_INVALID';
  return (
    <PlainPage title="Choose a new password" about="All your other sessions are signed out.">
      {isDead ? (
        <DeadLink {...(reset.error === undefined ? {} : { message: reset.error.message })}>
          <ButtonLink to="/forgot" look="primary">
            Request a new link
          </ButtonLink>
        </DeadLink>
      ) : (
        <Form
          server={server}
          send="Save the password"
          onSend={async ({ password }) => {
            await reset.run({ body: { token, password } });
            toast({ tone: 'good', text: 'Your password is changed. Sign in with the new one.' });
            await navigate({ to: '/sign-in' });
          }}
        >
          <NewPasswordField form={server.form} name="password" label="New password" />
        </Form>
      )}
    </PlainPage>
  );
}
