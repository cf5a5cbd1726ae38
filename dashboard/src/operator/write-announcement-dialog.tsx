import { X } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { nowMs } from '../api/clock.ts';
import { useRead } from '../api/reads.ts';
import { AnnouncementCard, type ShownAnnouncement, severityWord } from '../components/announcement-card.tsx';
import { IconButton } from '../components/button.tsx';
import { Checkbox } from '../components/choices.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Textarea } from '../components/inputs.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { DAY_MS, lagosInstant, lagosLocal } from '../format/time.ts';
import type { Announcement } from './announcement.ts';

interface Values {
  title: string;
  text: string;
  severity: ShownAnnouncement['severity'];
  /** As fields have them, in Lagos time. */
  startsAt: string;
  endsAt: string;
  audience: 'ALL' | 'SOME';
  merchantIds: string[];
  byMail: boolean;
}

const SEVERITIES = (['INFO', 'WARNING', 'CRITICAL'] as const).map((value) => ({ value, label: severityWord(value) }));
const AUDIENCES = [
  { value: 'ALL', label: 'All merchants' },
  { value: 'SOME', label: 'Some merchants' },
];

function valuesOf(announcement: Announcement | undefined): Values {
  const now = nowMs();
  const { title = '', text = '', severity = 'INFO', merchants = null } = announcement ?? {};
  return {
    title,
    text,
    severity,
    startsAt: lagosLocal(announcement?.startsAt ?? new Date(now)),
    endsAt: lagosLocal(announcement?.endsAt ?? new Date(now + DAY_MS)),
    audience: merchants === null ? 'ALL' : 'SOME',
    merchantIds: merchants?.map(({ merchantId }) => merchantId) ?? [],
    byMail: announcement?.byMail ?? false,
  };
}

interface WriteAnnouncementDialogProps {
  /** Undefined: a new one. */
  announcement: Announcement | undefined;
  onClose: () => void;
}

/** Writes a draft, or changes what is written, with a look at what merchants see. */
export function WriteAnnouncementDialog({ announcement, onClose }: WriteAnnouncementDialogProps) {
  const create = useAction('post', '/operator/announcement', { changes: ['/operator'] });
  const change = useAction('patch', '/operator/announcement/{announcementId}', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: valuesOf(announcement) });
  const isPublished = announcement !== undefined && announcement.status !== 'DRAFT';

  async function send({ audience, merchantIds, startsAt, endsAt, ...words }: Values): Promise<void> {
    const times = { startsAt: lagosInstant(startsAt), endsAt: lagosInstant(endsAt) };
    const body = { ...words, ...times, merchantIds: audience === 'ALL' ? null : merchantIds };
    if (announcement === undefined) await create.run({ body });
    else await change.run({ path: { announcementId: announcement.announcementId }, body });
    toast({
      tone: 'good',
      text: isPublished ? 'Merchants see it as it is now.' : 'The draft is kept. Publish it from the list.',
    });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      kind="wide"
      title={announcement === undefined ? 'Write an announcement' : 'Edit the announcement'}
      description={
        isPublished
          ? 'It changes at once, and whoever dismissed it sees it again.'
          : 'It is kept as a draft: merchants see it once it is published.'
      }
      server={server}
      onSend={send}
      send={isPublished ? 'Change it' : 'Keep the draft'}
    >
      <WordFields form={server.form} />
      <AudienceFields form={server.form} known={announcement?.merchants ?? []} />
      <MailField form={server.form} announcement={announcement} />
      <Preview form={server.form} />
    </FormDialog>
  );
}

type FormProps = { form: UseFormReturn<Values> };

function WordFields({ form }: FormProps) {
  return (
    <>
      <Field form={form} name="title" label="Title" rules={{ required: 'Give it a title.' }}>
        {(control) => <Input {...control} maxLength={120} autoFocus />}
      </Field>
      <Field form={form} name="text" label="Text" hint="Plain text." rules={{ required: 'Say what it is about.' }}>
        {(control) => <Textarea {...control} rows={4} maxLength={2000} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field form={form} name="severity" label="How it is shown">
          {(control) => <Select {...control} options={SEVERITIES} />}
        </Field>
        <Field form={form} name="startsAt" label="From" hint="Lagos time" rules={{ required: 'Say from when.' }}>
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
        <Field form={form} name="endsAt" label="Until" hint="Lagos time" rules={{ required: 'Say until when.' }}>
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
      </div>
    </>
  );
}

interface Named {
  merchantId: string;
  businessName: string;
}

function AudienceFields({ form, known }: FormProps & { known: readonly Named[] }) {
  const isSome = form.watch('audience') === 'SOME';
  return (
    <>
      <Field form={form} name="audience" label="To">
        {(control) => <Select {...control} options={AUDIENCES} />}
      </Field>
      {isSome && (
        <ControlledField
          form={form}
          name="merchantIds"
          label="Merchants"
          hint="At most 200."
          rules={{ validate: (ids) => ids.length > 0 || 'Choose at least one.' }}
        >
          {({ value, onChange, ...control }) => (
            <MerchantChoice {...control} chosen={value} onChoose={onChange} known={known} />
          )}
        </ControlledField>
      )}
    </>
  );
}

interface MerchantChoiceProps {
  id: string;
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
  known: readonly Named[];
}

/** Merchants one after the other, each found as everywhere else. */
function MerchantChoice({ chosen, onChoose, known, ...control }: MerchantChoiceProps) {
  return (
    <>
      <MerchantPicker
        key={chosen.length}
        {...control}
        value=""
        onChange={(id) => id !== '' && !chosen.includes(id) && onChoose([...chosen, id])}
      />
      <ul className="mt-2 flex flex-wrap gap-2">
        {chosen.map((id) => (
          <ChosenMerchant
            key={id}
            merchantId={id}
            name={known.find(({ merchantId }) => merchantId === id)?.businessName}
            onRemove={() => onChoose(chosen.filter((one) => one !== id))}
          />
        ))}
      </ul>
    </>
  );
}

interface ChosenMerchantProps {
  merchantId: string;
  /** Undefined: it was chosen just now, and is asked for as the field asked. */
  name: string | undefined;
  onRemove: () => void;
}

function ChosenMerchant({ merchantId, name, onRemove }: ChosenMerchantProps) {
  const query = { search: merchantId };
  const found = useRead('/operator/merchant-choice', { query }, { enabled: name === undefined });
  const shown = name ?? found.data?.merchants[0]?.businessName ?? merchantId;
  return (
    <li className="flex items-center gap-1 rounded-full bg-sunken py-0.5 pr-1 pl-3 text-sm">
      {shown}
      <IconButton icon={X} label={`Remove ${shown}`} className="size-7 min-h-7" onClick={onRemove} />
    </li>
  );
}

/** Whether it goes by e-mail too; what was sent is not sent again. */
function MailField({ form, announcement }: FormProps & { announcement: Announcement | undefined }) {
  if (typeof announcement?.mailedAt === 'string')
    return <p className="text-sm text-muted">It was sent by e-mail, and is not sent again.</p>;
  const hint = 'Once to everybody who works for these merchants, as soon as it is published and its time has come.';
  return <Checkbox label="Send it by e-mail too" hint={hint} {...form.register('byMail')} />;
}

function Preview({ form }: FormProps) {
  const { title, text, severity, startsAt, endsAt } = form.watch();
  if (title.trim() === '' || startsAt === '' || endsAt === '') return null;
  const times = { startsAt: lagosInstant(startsAt), endsAt: lagosInstant(endsAt) };
  return (
    <section aria-label="Preview">
      <p className="mb-1.5 text-sm font-medium">As merchants see it</p>
      <AnnouncementCard announcement={{ announcementId: '', title, text, severity, ...times }} />
    </section>
  );
}
