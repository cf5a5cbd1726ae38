import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { useMode, useSession } from '../api/session.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { ChoiceGroup, Input, Radio } from '../components/inputs.tsx';
import { lagosDay } from '../format/time.ts';
import { AddressField } from './address-field.tsx';
import { parseAddresses } from './ip-addresses.ts';
import type { KeyForm } from './key-form.ts';
import { KeyShownOnce, type ShownKey } from './key-shown-once.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { PUBLIC_SCOPES } from './scope-words.ts';

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
      send="Make the key"
      title={mode === 'LIVE' ? 'New live key' : 'New sandbox key'}
      description={
        mode === 'LIVE'
          ? 'It moves real money. Keep it on your server only.'
          : 'It works with play money, for building and trying things.'
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
        hint="For your people, to tell keys apart: where it is used."
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
          hint="The less a key may do, the less is lost with it."
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
        rules={{ validate: (day) => day === '' || day > lagosDay(new Date()) || 'Choose a day after today.' }}
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
