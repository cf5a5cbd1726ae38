import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useAction } from '../api/action.ts';
import { ask, currentPrompt, lastCallAt, onPrompt, settlePrompt } from '../api/call.ts';
import { nowMs } from '../api/clock.ts';
import { forgetSession, renewSession, type Session, sessionQuery } from '../api/session.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, PasswordInput } from '../components/inputs.tsx';
import { SignInForm } from '../sign-in/sign-in-form.tsx';

/** What a request may have to ask before it can go on. Stands once, over the page and everything that was typed in it. */
export function Prompts() {
  const prompt = useSyncExternalStore(onPrompt, currentPrompt);
  const queries = useQueryClient();
  const session = queries.getQueryData(sessionQuery.queryKey);
  useSessionWatch(session);
  if (session === undefined) return null;
  if (prompt === 'SIGN_IN') return <SignInDialog before={session} />;
  if (prompt === 'STEP_UP') return <StepUpDialog session={session} />;
  return null;
}

/** The page stays as it is; where somebody else signs in, reading the session begins it anew. */
function SignInDialog({ before }: { before: Session }) {
  const queries = useQueryClient();
  const navigate = useNavigate();

  async function goOn(): Promise<void> {
    await renewSession(queries);
    settlePrompt(true);
  }
  async function leave(): Promise<void> {
    settlePrompt(false);
    await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true });
    forgetSession(queries);
  }

  return (
    <Dialog
      open
      staysOnClickBeside
      onClose={() => void leave()}
      title="Your session has ended"
      description="Sign in again and continue where you were. What you typed is still here."
    >
      <SignInForm email={before.person.email} onSignedIn={goOn} />
    </Dialog>
  );
}

/** Asked before changes of keys, PIN, people and limits: a stranger at an open screen does not know the password. */
function StepUpDialog({ session }: { session: Session }) {
  const queries = useQueryClient();
  const server = useServerForm<{ password: string; code: string }>({ defaultValues: { password: '', code: '' } });
  const prove = useAction('post', '/session/step-up', { changes: [] });
  const { secondFactor } = session.person;

  async function send({ password, code }: { password: string; code: string }): Promise<void> {
    await prove.run({ body: { password, ...(secondFactor ? { code: code.trim() } : {}) } });
    await renewSession(queries);
    settlePrompt(true);
  }

  return (
    <FormDialog
      onClose={() => settlePrompt(false)}
      title="Confirm that it is you"
      description="This needs your password. You are not asked again for the next five minutes."
      server={server}
      onSend={send}
      send="Continue"
    >
      <Field form={server.form} name="password" label="Password" rules={{ required: 'Enter your password.' }}>
        {(control) => <PasswordInput {...control} autoComplete="current-password" autoFocus />}
      </Field>
      {secondFactor && (
        <Field
          form={server.form}
          name="code"
          label="Code"
          hint="Six digits from your authenticator, or a recovery code."
          rules={{ required: 'Enter the code.' }}
        >
          {(control) => <Input {...control} autoComplete="one-time-code" className="figures max-w-56" />}
        </Field>
      )}
    </FormDialog>
  );
}

const LOOK_EVERY_MS = 30_000;

/** An unattended page finds out by itself that its session has ended: it asks only when the limits say so. */
function useSessionWatch(session: Session | undefined): void {
  const queries = useQueryClient();
  const [idleMs, setIdleMs] = useState<number>();
  useEffect(() => {
    if (session !== undefined) setIdleMs(new Date(session.idleExpiresAt).getTime() - nowMs());
  }, [session]);
  useEffect(() => {
    if (session === undefined || idleMs === undefined) return;
    const timer = setInterval(() => {
      const ends = Math.min(new Date(session.expiresAt).getTime(), lastCallAt() + idleMs);
      if (nowMs() > ends && currentPrompt() === undefined) void renewSession(queries).catch(() => ask('SIGN_IN'));
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [session, idleMs, queries]);
}
