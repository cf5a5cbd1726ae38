import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRenewSession, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

const FEW_CODES = 3;

/** A code of an app beside the password: turning it on and off, and the codes for a lost phone. */
export function SecondFactorSection() {
  const { person } = useSession();
  return (
    <Section
      title="Second factor"
      about="A code from your phone, after the password."
      actions={person.secondFactor ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>}
    >
      {person.secondFactor ? <FactorOn codesLeft={person.recoveryCodesLeft} /> : <FactorOff />}
    </Section>
  );
}

function FactorOff() {
  const start = useAction('post', '/second-factor/start', { changes: [] });
  const [setup, setSetup] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = useRenewSession();

  async function begin(): Promise<void> {
    try {
      setSetup(await start.run({}));
    } catch {
      // Shown below, from the action.
    }
  }

  return (
    <div className="flex flex-col items-start gap-4">
      <p>
        With it, somebody who learns your password still cannot sign in. You need an authenticator app such as Aegis,
        2FAS or Google Authenticator.
      </p>
      {start.error !== undefined && <Alert tone="bad">{start.error.message}</Alert>}
      <Button look="primary" busy={start.isPending} onClick={() => void begin()}>
        Turn it on
      </Button>
      <SecondFactorSetup setup={setup} onClose={() => setSetup(undefined)} onEnabled={setCodes} />
      <RecoveryCodesDialog codes={codes} onClose={() => void renew().finally(() => setCodes(undefined))} />
    </div>
  );
}

function FactorOn({ codesLeft }: { codesLeft: number }) {
  const disable = useAction('post', '/second-factor/disable', { changes: [] });
  const anew = useAction('post', '/second-factor/recovery-codes', { changes: [] });
  const renew = useRenewSession();
  const [asking, setAsking] = useState<'OFF' | 'CODES'>();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <div className="flex flex-col items-start gap-4">
      <p>Each time you sign in, the code of your app is asked.</p>
      <Alert tone={codesLeft <= FEW_CODES ? 'warn' : 'info'} className="self-stretch">
        {codesLeft === 0
          ? 'No recovery code is left.'
          : `${codesLeft} recovery ${codesLeft === 1 ? 'code is' : 'codes are'} left.`}{' '}
        Each signs you in once when you do not have your phone.
      </Alert>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsking('CODES')}>New recovery codes</Button>
        <Button look="quiet" onClick={() => setAsking('OFF')}>
          Turn it off
        </Button>
      </div>
      <ConfirmDialog
        open={asking === 'CODES'}
        onClose={() => setAsking(undefined)}
        title="Make new recovery codes?"
        confirm="Make new codes"
        onConfirm={async () => setCodes((await anew.run({})).recoveryCodes)}
      >
        <p>The codes that you have now stop working.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'OFF'}
        onClose={() => setAsking(undefined)}
        title="Turn the second factor off?"
        confirm="Turn it off"
        danger
        onConfirm={async () => {
          await disable.run({});
          toast({ tone: 'good', text: 'The second factor is off.' });
          await renew();
        }}
      >
        <p>Your password alone then opens your account. The recovery codes stop working.</p>
      </ConfirmDialog>
      <RecoveryCodesDialog codes={codes} onClose={() => void renew().finally(() => setCodes(undefined))} />
    </div>
  );
}
