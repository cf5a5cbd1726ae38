import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import { useAction } from '../api/action.ts';
import { useRenewSession, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Copyable, CopyButton } from '../components/copy-button.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { Section } from '../components/page-header.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';

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
        It stops anyone who learns your password from signing in. You need an authenticator app such as Aegis, 2FAS or
        Google Authenticator.
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
  const renewal = useAction('post', '/second-factor/recovery-codes', { changes: [] });
  const renew = useRenewSession();
  const [asking, setAsking] = useState<'OFF' | 'CODES'>();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <div className="flex flex-col items-start gap-4">
      <p>Each time you sign in, you are asked for the code of your app.</p>
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
        title="Create new recovery codes?"
        confirm="Create new codes"
        onConfirm={async () => setCodes((await renewal.run({})).recoveryCodes)}
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

interface SecondFactorSetupProps {
  setup: { secret: string; uri: string } | undefined;
  onClose: () => void;
  /** With the recovery codes, which are shown this once. */
  onEnabled: (codes: readonly string[]) => void;
}

/** The code to scan, and the first code of the app, which proves that it was. */
function SecondFactorSetup({ setup, ...rest }: SecondFactorSetupProps) {
  return setup === undefined ? null : <OpenSetup setup={setup} {...rest} />;
}

function OpenSetup({ setup, onClose, onEnabled }: SecondFactorSetupProps & { setup: { secret: string; uri: string } }) {
  const enable = useAction('post', '/second-factor/enable', { changes: [] });
  const server = useServerForm({ defaultValues: { code: '' } });

  async function send({ code }: { code: string }): Promise<void> {
    const { recoveryCodes } = await enable.run({ body: { code: code.replaceAll(' ', '') } });
    onEnabled(recoveryCodes);
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Turn on the second factor"
      description="Scan the code with your authenticator app, then type the six digits that it shows."
      server={server}
      onSend={send}
      send="Turn it on"
    >
      <div className="flex flex-col items-center gap-3">
        <QrCode text={setup.uri} label="Code to scan with your authenticator app" />
        <div className="text-center text-xs text-muted">
          <p>Cannot scan it? Type this into the app:</p>
          <Copyable text={setup.secret} what="secret" />
        </div>
      </div>
      <Field form={server.form} name="code" label="Code of the app" rules={{ required: 'Enter the six digits.' }}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            className="figures max-w-44 text-lg tracking-widest"
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** Recovery codes, shown once. Neither Escape nor a stray click closes it. */
function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[] | undefined; onClose: () => void }) {
  const { person } = useSession();
  if (codes === undefined) return null;
  const text = `Manilla recovery codes of ${person.email}\nEach signs in once, in place of a code of the app.\n\n${codes.join('\n')}\n`;
  return (
    <Dialog
      open
      locked
      onClose={onClose}
      title="Your recovery codes"
      actions={
        <Button look="primary" onClick={onClose}>
          I have saved them
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Alert tone="warn" title="Save these now">
          They are shown only once. Without your phone and a code, only a colleague can let you in, by removing you and
          inviting you again.
        </Alert>
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-control border bg-sunken p-4 font-mono"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={Download} onClick={() => saveCodes(text)}>
            Download as a file
          </Button>
          <CopyButton text={codes.join('\n')} what="recovery codes" />
        </div>
      </div>
    </Dialog>
  );
}

function saveCodes(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'manilla-recovery-codes.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A QR code, drawn as one path. Always dark on white, in the dark theme as well: phones read nothing else as well. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 rounded-control"
      shapeRendering="crispEdges"
      style={{ background: '#fff' }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 2, ecc: 'M' });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
