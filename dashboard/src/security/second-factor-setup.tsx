import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { Copyable } from '../components/values.tsx';
import { QrCode } from './qr-code.tsx';

interface SecondFactorSetupProps {
  setup: { secret: string; uri: string } | undefined;
  onClose: () => void;
  /** With the recovery codes, which are shown this once. */
  onEnabled: (codes: readonly string[]) => void;
}

/** The code to scan, and the first code of the app, which proves that it was. */
export function SecondFactorSetup({ setup, ...rest }: SecondFactorSetupProps) {
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
