import type { ReactNode } from 'react';
import { ApiError } from '../api/errors.ts';
import { useServerForm } from './form.tsx';
import { FormDialog } from './form-dialog.tsx';
import { PinField } from './pin-field.tsx';

export interface PinDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What the PIN sets off: amounts, to whom, charges. Shown above the field. */
  children: ReactNode;
  /** The verb on the button: "Pay ₦5,000.00". */
  confirm: string;
  /** What has to be done first, such as a box that is not ticked: nothing is sent, and the PIN stays. */
  missing?: string | undefined;
  /** The dialog closes when it resolves; a refusal of the PIN stands next to the field and asks again. */
  onConfirm: (pin: string) => Promise<unknown>;
}

/** Shows what is about to happen and asks the PIN for it. */
export function PinDialog(props: PinDialogProps) {
  return props.open ? <OpenPinDialog {...props} /> : null;
}

function OpenPinDialog({ onClose, title, children, confirm, missing, onConfirm }: PinDialogProps) {
  const server = useServerForm<{ pin: string }>({ defaultValues: { pin: '' } });

  async function send({ pin }: { pin: string }): Promise<void> {
    if (missing !== undefined) throw new ApiError(missing, { code: 'NOT_CHOSEN', status: 422 });
    try {
      await onConfirm(pin);
      onClose();
    } catch (error) {
      server.form.resetField('pin');
      if (error instanceof ApiError && /^PIN_/.test(error.code)) {
        server.form.setError('pin', { type: 'server', message: error.message }, { shouldFocus: true });
        return;
      }
      throw error;
    }
  }

  return (
    <FormDialog onClose={onClose} title={title} server={server} onSend={send} send={confirm}>
      {children}
      <PinField form={server.form} autoFocus />
    </FormDialog>
  );
}
