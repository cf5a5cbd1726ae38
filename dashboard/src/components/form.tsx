import { type ReactNode, useState } from 'react';
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import { ApiError, asSentence, fieldWords, messageOf } from '../api/errors.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';

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

export interface ServerForm<T extends FieldValues> {
  form: UseFormReturn<T>;
  /** What was refused and belongs to no field of the form. */
  problem: string | undefined;
  /** Handler for `<form onSubmit>`: checks the rules, sends, and puts what the service says next to the fields. */
  submitWith(send: (values: T) => Promise<unknown>): (event?: React.SyntheticEvent) => void;
  isSending: boolean;
  clearProblem(): void;
}

export interface ServerFormOptions<T extends FieldValues> {
  defaultValues: DefaultValues<T>;
  /** Names of the request that differ from those of the form: `{ 'item.amount': 'amount' }`. */
  fields?: Record<string, FieldPath<T>>;
}

/**
 * A form whose last word is the service's. A refusal keeps everything that was typed, shows each complaint next to its
 * field and takes the focus to the first.
 */
export function useServerForm<T extends FieldValues>(options: ServerFormOptions<T>): ServerForm<T> {
  const form = useForm<T>({ defaultValues: options.defaultValues, mode: 'onSubmit', shouldFocusError: true });
  const [problem, setProblem] = useState<string>();

  async function send(values: T, action: (values: T) => Promise<unknown>): Promise<void> {
    setProblem(undefined);
    try {
      await action(values);
    } catch (error) {
      setProblem(showErrors(form, error, options.fields ?? {}));
    }
  }

  return {
    form,
    problem,
    isSending: form.formState.isSubmitting,
    clearProblem: () => setProblem(undefined),
    submitWith: (action) => {
      const submit = form.handleSubmit((values) => send(values, action));
      return (event) => void submit(event);
    },
  };
}

/** Puts complaints to the fields that the form has; returns what is left for the form as a whole. */
function showErrors<T extends FieldValues>(
  form: UseFormReturn<T>,
  error: unknown,
  names: Record<string, FieldPath<T>>,
): string | undefined {
  if (!(error instanceof ApiError) || error.errors.length === 0) return messageOf(error);
  const elsewhere: string[] = [];
  let first = true;
  for (const { field, message } of error.errors) {
    const name = names[field] ?? (field as FieldPath<T>);
    if (form.getValues(name) === undefined) {
      elsewhere.push(`${fieldWords(field)} ${message}`);
      continue;
    }
    form.setError(name, { type: 'server', message: asSentence(message) }, { shouldFocus: first });
    first = false;
  }
  return elsewhere.length === 0 ? undefined : `${elsewhere.join('; ')}.`;
}
