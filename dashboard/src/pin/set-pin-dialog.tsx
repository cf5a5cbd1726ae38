import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { ApiError } from '../api/errors.ts';
import { useRenewSession } from '../api/session.ts';
import type { Mode } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';

interface PinForm {
  pin: string;
  again: string;
}

interface SetPinDialogProps {
  mode: Mode;
  isSet: boolean;
  onClose: () => void;
}

/** Sets or changes the PIN of the mode. The password is asked on the way where it was last given too long ago. */
export function SetPinDialog({ open, ...dialog }: SetPinDialogProps & { open: boolean }) {
  return open ? <OpenSetPinDialog {...dialog} /> : null;
}

function OpenSetPinDialog({ mode, isSet, onClose }: SetPinDialogProps) {
  const word = mode === 'LIVE' ? 'live' : 'sandbox';
  const set = useAction('post', '/pin', { changes: ['/pin'] });
  const renew = useRenewSession();
  const server = useServerForm<PinForm>({ defaultValues: { pin: '', again: '' } });

  async function send({ pin }: PinForm): Promise<void> {
    try {
      await set.run({ body: { pin } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'PIN_TOO_SIMPLE') throw error;
      server.form.setError('pin', { type: 'server', message: error.message }, { shouldFocus: true });
      return;
    }
    toast({
      tone: 'good',
      text: isSet ? `The ${word} PIN is changed. The old one does not work any more.` : `The ${word} PIN is set.`,
    });
    onClose();
    await renew();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`${isSet ? 'Change' : 'Set'} the ${word} PIN`}
      description="4 to 6 digits. Not one digit repeated (1111) and no run (1234)."
      server={server}
      onSend={send}
      send={isSet ? 'Change the PIN' : 'Set the PIN'}
    >
      <Digits form={server.form} name="pin" label="New PIN" />
      <Digits form={server.form} name="again" label="New PIN again" />
    </FormDialog>
  );
}

function Digits({
  form,
  name,
  label,
}: {
  form: UseFormReturn<PinForm>;
  name: keyof PinForm;
  label: string;
}): ReactNode {
  const rules =
    name === 'pin'
      ? { pattern: { value: /^\d{4,6}$/, message: 'A PIN has 4 to 6 digits.' } }
      : { validate: (again: string, all: PinForm) => again === all.pin || 'The two PINs differ.' };
  return (
    <Field form={form} name={name} label={label} rules={{ required: 'Enter 4 to 6 digits.', ...rules }}>
      {(control) => (
        <Input
          {...control}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          className="figures max-w-40 text-center text-lg tracking-[0.4em]"
        />
      )}
    </Field>
  );
}
