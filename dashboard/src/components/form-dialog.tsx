import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { Form, type ServerForm } from './form.tsx';

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
