import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { renewSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input, PasswordInput } from '../components/inputs.tsx';

export interface SignInFormProps {
  email?: string;
  onSignedIn: () => Promise<unknown>;
}

/** E-mail and password, then the second factor where there is one. */
export function SignInForm({ email = '', onSignedIn }: SignInFormProps) {
  const [step, setStep] = useState<'PASSWORD' | 'SECOND_FACTOR'>('PASSWORD');
  return step === 'PASSWORD' ? (
    <PasswordStep email={email} onDone={onSignedIn} onSecondFactor={() => setStep('SECOND_FACTOR')} />
  ) : (
    <SecondFactorStep onDone={onSignedIn} onBack={() => setStep('PASSWORD')} />
  );
}

interface PasswordStepProps {
  email: string;
  onDone: () => Promise<unknown>;
  onSecondFactor: () => void;
}

function PasswordStep({ email, onDone, onSecondFactor }: PasswordStepProps) {
  const server = useServerForm({ defaultValues: { email, password: '' } });
  const signIn = useAction('post', '/session', { changes: [] });
  return (
    <Form
      server={server}
      send="Sign in"
      onSend={async (values) => {
        const { next } = await signIn.run({ body: { email: values.email.trim(), password: values.password } });
        if (next === 'SECOND_FACTOR') onSecondFactor();
        else await onDone();
      }}
    >
      <Field form={server.form} name="email" label="E-mail" rules={{ required: 'Enter your e-mail address.' }}>
        {(control) => <Input {...control} type="email" autoComplete="username" autoFocus={email === ''} />}
      </Field>
      <Field form={server.form} name="password" label="Password" rules={{ required: 'Enter your password.' }}>
        {(control) => <PasswordInput {...control} autoComplete="current-password" autoFocus={email !== ''} />}
      </Field>
      {signIn.error?.code === 'SIGN_IN_REFUSED' && (
        <p className="text-sm text-muted">If you have just signed up, open the link in our mail first.</p>
      )}
    </Form>
  );
}

function SecondFactorStep({ onDone, onBack }: { onDone: () => Promise<unknown>; onBack: () => void }) {
  const server = useServerForm({ defaultValues: { code: '' } });
  const prove = useAction('post', '/session/second-factor', { changes: [] });
  return (
    <Form
      server={server}
      send="Continue"
      beside={
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      }
      onSend={async ({ code }) => {
        await prove.run({ body: { code: code.trim() } });
        await onDone();
      }}
    >
      <Field
        form={server.form}
        name="code"
        label="Code"
        hint="Six digits from your authenticator app, or one of your recovery codes."
        rules={{ required: 'Enter the code.' }}
      >
        {(control) => <Input {...control} autoComplete="one-time-code" autoFocus className="figures max-w-56" />}
      </Field>
    </Form>
  );
}

/** After any way of signing in: what was read before is nobody's, and one goes to one's first screen. */
export function useSignedIn(): (next?: string) => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return async (next) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    const { person } = await renewSession(queries);
    if (next !== undefined) router.history.push(next);
    else await router.navigate({ to: person.kind === 'OPERATOR' ? '/operator' : '/' });
  };
}

/** Said before the form is sent, with everything else that is wrong. The service has the last word. */
export const EMAIL_RULES = {
  required: 'Enter your e-mail address.',
  pattern: {
    value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/,
    message: 'Write the whole address, such as ngozi@shop.example.',
  },
};
