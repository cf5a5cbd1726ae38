import { useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Textarea } from '../components/inputs.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { complainAboutAddresses, type KeyRow, keyName, parseAddresses } from './key.ts';

interface ChangeForm {
  name: string;
  allowedIps: string;
}

/** The name of a key, and from where it may be used. */
export function ChangeKeyDialog({ row, onClose }: { row: KeyRow | undefined; onClose: () => void }) {
  return row === undefined ? null : <OpenChangeKeyDialog row={row} onClose={onClose} />;
}

function OpenChangeKeyDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const change = useAction('patch', '/key/{keyId}', { changes: ['/key'] });
  const server = useServerForm<ChangeForm>({
    defaultValues: { name: row.name, allowedIps: row.allowedIps.join('\n') },
  });

  async function send({ name, allowedIps }: ChangeForm): Promise<void> {
    const body = { name: name.trim(), allowedIps: parseAddresses(allowedIps) };
    await change.run({ path: { keyId: row.keyId }, body });
    toast({ tone: 'good', text: 'Saved. It takes effect everywhere within two seconds.' });
    onClose();
  }

  return (
    <FormDialog onClose={onClose} title={`Change ${keyName(row)}`} server={server} onSend={send} send="Save">
      <Field form={server.form} name="name" label="Name" rules={{ required: 'Give the key a name.' }}>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
      <AddressField form={server.form} name="allowedIps" />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '86400', label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'No time: end it at once' },
];

/** A new key like an old one, and a time in which both work, so that nothing stops while servers change over. */
export function RotateKeyDialog({ row, onClose }: { row: KeyRow | undefined; onClose: () => void }) {
  return row === undefined ? null : <OpenRotateKeyDialog row={row} onClose={onClose} />;
}

function OpenRotateKeyDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const rotate = useAction('post', '/key/{keyId}/rotate', { changes: ['/key'] });
  const server = useServerForm({ defaultValues: { overlapSeconds: '86400' } });
  const [made, setMade] = useState<ShownKey>();

  if (made !== undefined) return <KeyShownOnce made={made} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate ${keyName(row)}, …${row.lastFour}`}
      description="You get a new key that may do the same. The old one keeps working for as long as you say, so that you have time to switch."
      server={server}
      onSend={async ({ overlapSeconds }) => {
        const input = { path: { keyId: row.keyId }, body: { overlapSeconds: Number(overlapSeconds) } };
        setMade({ ...(await rotate.run(input)), oldHasEnded: overlapSeconds === '0' });
      }}
      send="Create the new key"
    >
      <Field form={server.form} name="overlapSeconds" label="The old key keeps working for">
        {(control) => <Select {...control} options={OVERLAPS} />}
      </Field>
    </FormDialog>
  );
}

export interface ShownKey {
  key: string;
  name: string;
  kind: 'SECRET' | 'PUBLIC';
  /** Of a rotation: until then the old key works too. */
  oldEndsAt?: string;
  oldHasEnded?: boolean;
}

/** A new key, whole. Neither Escape nor a stray click closes it: it is never shown again. */
export function KeyShownOnce({ made, onClose }: { made: ShownKey; onClose: () => void }) {
  const line = curlLine(made);
  return (
    <Dialog
      open
      kind="wide"
      onClose={onClose}
      locked
      title={`${keyName(made)} is created`}
      actions={
        <Button look="primary" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Alert tone="warn" title="Copy the key now">
          It is shown only once. We keep only a hash of it, so nobody can show it to you again.
        </Alert>
        <Secret what="key" text={made.key} />
        <div>
          <p className="mb-1.5 text-sm font-medium">Try it from a terminal</p>
          <Secret what="command" text={line} />
        </div>
        {made.oldEndsAt !== undefined && <OldKeyEnds at={made.oldEndsAt} hasEnded={made.oldHasEnded === true} />}
      </div>
    </Dialog>
  );
}

function OldKeyEnds({ at, hasEnded }: { at: string; hasEnded: boolean }) {
  if (hasEnded) {
    return <p className="text-muted">The old key has ended: put the new one in place now.</p>;
  }
  return (
    <p className="text-muted">
      The old key works until <Moment at={at} />. Put the new one in place before then.
    </p>
  );
}

function Secret({ text, what }: { text: string; what: string }) {
  return (
    <div className="flex items-start gap-2 rounded-control border bg-sunken px-3 py-2.5">
      <code data-secret={what} className="min-w-0 flex-1 font-mono text-xs break-all whitespace-pre-wrap">
        {text}
      </code>
      <CopyButton text={text} what={what} />
    </div>
  );
}

/** A request that any such key may make, whatever else it was given. */
function curlLine({ key, kind }: ShownKey): string {
  const path = kind === 'PUBLIC' ? '/bank' : '/wallet/merchant';
  return `curl ${location.origin}${path} -H "Authorization: Bearer ${key}"`;
}

interface AddressFieldProps<T extends FieldValues> {
  form: UseFormReturn<T>;
  name: FieldPath<T>;
}

/** From where a key may be used. */
export function AddressField<T extends FieldValues>({ form, name }: AddressFieldProps<T>) {
  return (
    <Field
      form={form}
      name={name}
      label="Only from these IP addresses"
      optional
      hint="One a line: 203.0.113.7, or a range such as 203.0.113.0/24. If empty, it works from anywhere."
      rules={{ validate: (text: string) => complainAboutAddresses(text) ?? true }}
    >
      {(control) => (
        <Textarea {...control} rows={2} spellCheck={false} autoComplete="off" className="font-mono text-xs" />
      )}
    </Field>
  );
}
