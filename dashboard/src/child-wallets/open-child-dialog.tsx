import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { DialogActions, Form } from '../components/form.tsx';
import { Input } from '../components/input.tsx';
import { useServerForm } from '../components/use-server-form.ts';

export interface OpenChildDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  hint: string;
  /** The verb: "Open store". */
  send: string;
  /** Opens it and shows it. @throws ApiError */
  onSend: (name: string) => Promise<unknown>;
  children: ReactNode;
}

const MOST_CHARACTERS = 80;

/** Opens a store or a subaccount. Rendered for as long as its page stands: what was typed outlives its closing. */
export function OpenChildDialog({ open, onClose, title, hint, send, onSend, children }: OpenChildDialogProps) {
  const server = useServerForm<{ name: string }>({ defaultValues: { name: '' } });
  return (
    <Dialog open={open} onClose={onClose} title={title} description={children} locked={server.isSending}>
      <Form server={server} onSend={({ name }) => onSend(name.trim())}>
        <Field
          form={server.form}
          name="name"
          label="Name"
          hint={hint}
          rules={{ validate: (name) => (name.trim() === '' ? 'Enter a name.' : undefined) }}
        >
          {(control) => <Input {...control} maxLength={MOST_CHARACTERS} autoComplete="off" autoFocus />}
        </Field>
        <DialogActions server={server} onCancel={onClose} send={send} />
      </Form>
    </Dialog>
  );
}
