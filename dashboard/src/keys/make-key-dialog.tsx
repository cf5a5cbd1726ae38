import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { nowDate } from '../api/clock.ts';
import { useMode, useSession } from '../api/session.ts';
import { Checkbox, ChoiceGroup, Radio } from '../components/choices.tsx';
import { Field, FieldError } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { lagosDay } from '../format/time.ts';
import { type KeyForm, PUBLIC_SCOPES, parseAddresses, SCOPE_GROUPS, type Scope } from './key.ts';
import { AddressField, KeyShownOnce, type ShownKey } from './key-dialogs.tsx';

const EMPTY: KeyForm = { name: '', kind: 'SECRET', may: 'ALL', scopes: [], allowedIps: '', expiresAt: '' };

/** Makes a key of the mode that the page is in, and shows it the one time that it can be shown. */
export function MakeKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <OpenMakeKeyDialog onClose={onClose} /> : null;
}

function OpenMakeKeyDialog({ onClose }: { onClose: () => void }) {
  const mode = useMode();
  const make = useAction('post', '/key', { changes: ['/key'] });
  const server = useServerForm<KeyForm>({ defaultValues: EMPTY });
  const [made, setMade] = useState<ShownKey>();

  async function send(values: KeyForm): Promise<void> {
    if (values.may === 'SOME' && values.scopes.length === 0) {
      server.form.setError('scopes', { message: 'Choose at least one thing that the key may do.' });
      return;
    }
    setMade(await make.run({ body: wantedKey(values) }));
  }

  if (made !== undefined) return <KeyShownOnce made={made} onClose={onClose} />;
  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      server={server}
      onSend={send}
      send="Create the key"
      title={mode === 'LIVE' ? 'New live key' : 'New sandbox key'}
      description={
        mode === 'LIVE'
          ? 'It moves real money. Keep it on your server only.'
          : 'It works with test money, for building and trying things.'
      }
    >
      <KeyFields form={server.form} />
    </FormDialog>
  );
}

function KeyFields({ form }: { form: UseFormReturn<KeyForm> }) {
  const mode = useMode();
  const { scopes } = useSession();
  const [kind, may] = form.watch(['kind', 'may']);
  return (
    <>
      <Field
        form={form}
        name="name"
        label="Name"
        hint="For your people, to distinguish keys: where it is used."
        rules={{ required: 'Give the key a name, such as Accounting server.' }}
      >
        {(control) => <Input {...control} maxLength={60} placeholder="Accounting server" autoComplete="off" />}
      </Field>
      <ChoiceGroup legend="Kind">
        <Radio
          value="SECRET"
          label="Secret key"
          hint="For your server. Whoever has it can do what it may do."
          {...form.register('kind')}
        />
        <Radio
          value="PUBLIC"
          label="Public key"
          hint="For a web page or an app, where anyone can read it: payment sessions and public data only."
          {...form.register('kind')}
        />
      </ChoiceGroup>
      <ChoiceGroup legend="What it may do">
        <Radio value="ALL" label={allWords(kind)} {...form.register('may')} />
        <Radio
          value="SOME"
          label="Only what I choose"
          hint="The less a key may do, the less harm a leak does."
          {...form.register('may')}
        />
      </ChoiceGroup>
      {may === 'SOME' && <ScopeChoice form={form} kind={kind} own={scopes[mode]} />}
      <AddressField form={form} name="allowedIps" />
      <Field
        form={form}
        name="expiresAt"
        label="Ends on"
        optional
        hint="The key stops at the beginning of this day in Lagos. Without it, it works until it is revoked."
        rules={{ validate: (day) => day === '' || day > lagosDay(nowDate()) || 'Choose a day after today.' }}
      >
        {(control) => <Input {...control} type="date" className="max-w-56" />}
      </Field>
    </>
  );
}

function allWords(kind: KeyForm['kind']): string {
  return kind === 'PUBLIC' ? 'Everything that a public key can' : 'Everything that I may do';
}

function wantedKey(values: KeyForm) {
  const ips = parseAddresses(values.allowedIps);
  const some =
    values.kind === 'PUBLIC' ? values.scopes.filter((scope) => PUBLIC_SCOPES.includes(scope)) : values.scopes;
  return {
    name: values.name.trim(),
    kind: values.kind,
    ...(values.may === 'SOME' ? { scopes: some } : {}),
    ...(ips.length > 0 ? { allowedIps: ips } : {}),
    ...(values.expiresAt === '' ? {} : { expiresAt: `${values.expiresAt}T00:00:00+01:00` }),
  };
}

interface ScopeChoiceProps {
  form: UseFormReturn<KeyForm>;
  kind: 'SECRET' | 'PUBLIC';
  /** What the person may do in this mode: a key can do no more. */
  own: readonly Scope[];
}

/** What the key may do, in words; what the person may not do themselves is not offered. */
function ScopeChoice({ form, kind, own }: ScopeChoiceProps) {
  const offered = (scope: Scope) => own.includes(scope) && (kind === 'SECRET' || PUBLIC_SCOPES.includes(scope));
  const error = form.formState.errors.scopes?.message;
  const groups = SCOPE_GROUPS.map(({ title, scopes }) => ({
    title,
    scopes: scopes.filter((row) => offered(row.scope)),
  }));

  return (
    <div className="flex flex-col gap-4 rounded-control border bg-sunken p-4">
      {groups
        .filter(({ scopes }) => scopes.length > 0)
        .map(({ title, scopes }) => (
          <fieldset key={title} className="grid gap-2 sm:grid-cols-2">
            <legend className="mb-1 text-xs font-semibold text-muted">{title}</legend>
            {scopes.map(({ scope, words }) => (
              <Checkbox
                key={scope}
                value={scope}
                label={<span className="font-mono text-xs">{scope}</span>}
                hint={words}
                {...form.register('scopes')}
              />
            ))}
          </fieldset>
        ))}
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  );
}
