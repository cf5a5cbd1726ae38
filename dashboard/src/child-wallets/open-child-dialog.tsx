import type { ReactNode } from 'react';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';

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
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      description={children}
      server={server}
      onSend={({ name }) => onSend(name.trim())}
      send={send}
    >
      <Field
        form={server.form}
        name="name"
        label="Name"
        hint={hint}
        rules={{ validate: (name) => (name.trim() === '' ? 'Enter a name.' : undefined) }}
      >
        {(control) => <Input {...control} maxLength={MOST_CHARACTERS} autoComplete="off" autoFocus />}
      </Field>
    </FormDialog>
  );
}
