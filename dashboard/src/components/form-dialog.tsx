import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { ApiError } from '../api/errors.ts';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { Field } from './field.tsx';
import { Form, type ServerForm, useServerForm } from './form.tsx';
import { Input } from './inputs.tsx';

export interface FormDialogProps<T extends FieldValues>
  extends Pick<DialogProps, 'onClose' | 'title' | 'description' | 'kind'> {
  /** Without it, it is open for as long as it is rendered. */
  open?: boolean;
  server: ServerForm<T>;
  onSend: (values: T) => Promise<unknown>;
  /** The verb: "Propose". Never "OK". */
  send: string;
  /** It cannot be undone. */
  danger?: boolean;
  /** The way out without sending. */
  cancel?: string;
  children: ReactNode;
}

/** A form in a dialog: its fields, what was refused, and at its foot the way out and the button that sends it. */
export function FormDialog<T extends FieldValues>(props: FormDialogProps<T>) {
  const { open = true, onClose, title, description, kind, server, onSend, send, danger, cancel, children } = props;
  return (
    <Dialog open={open} onClose={onClose} title={title} description={description} kind={kind} locked={server.isSending}>
      <Form server={server} onSend={onSend}>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose} disabled={server.isSending}>
            {cancel ?? 'Cancel'}
          </Button>
          <Button type="submit" look={danger === true ? 'danger' : 'primary'} busy={server.isSending}>
            {send}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export interface PinDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What the PIN sets off: amounts, to whom, charges. Shown above the field. */
  children: ReactNode;
  /** The verb on the button: "Pay ₦5,000.00". */
  confirm: string;
  /** The dialog closes when it resolves; a refusal of the PIN stands next to the field and asks again. */
  onConfirm: (pin: string) => Promise<unknown>;
}

/** Shows what is about to happen and asks the PIN for it. */
export function PinDialog(props: PinDialogProps) {
  return props.open ? <OpenPinDialog {...props} /> : null;
}

function OpenPinDialog({ onClose, title, children, confirm, onConfirm }: PinDialogProps) {
  const server = useServerForm<{ pin: string }>({ defaultValues: { pin: '' } });

  async function send({ pin }: { pin: string }): Promise<void> {
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
      <Field form={server.form} name="pin" label="PIN" rules={{ pattern: PIN, required: 'Enter your PIN.' }}>
        {(control) => (
          <Input
            {...control}
            type="password"
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            autoFocus
            className="figures max-w-40 text-center text-lg tracking-[0.4em]"
          />
        )}
      </Field>
    </FormDialog>
  );
}

const PIN = { value: /^\d{4,6}$/, message: 'A PIN has 4 to 6 digits.' };
