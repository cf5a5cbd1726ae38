import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';
import type { ServerForm } from './use-server-form.ts';

export interface FormProps<T extends FieldValues> {
  server: ServerForm<T>;
  onSend: (values: T) => Promise<unknown>;
  /** The label of the button that sends it: a verb. Without it, place a `<Button type="submit">` yourself. */
  send?: string;
  /** Beside the button: a cancel, a link. */
  beside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A form as every page has it: fields, what was refused, one button that says what it does. */
export function Form<T extends FieldValues>({ server, onSend, send, beside, className, children }: FormProps<T>) {
  return (
    <form noValidate className={cn('flex flex-col gap-4', className)} onSubmit={server.submitWith(onSend)}>
      {children}
      {server.problem !== undefined && <Alert tone="bad">{server.problem}</Alert>}
      {send !== undefined && (
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" busy={server.isSending}>
            {send}
          </Button>
          {beside}
        </div>
      )}
    </form>
  );
}
