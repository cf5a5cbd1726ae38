import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { nowDate } from '../api/clock.ts';
import type { Input as RequestOf } from '../api/types.ts';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Textarea } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { complainAboutMoney, parseMoney } from '../format/money.ts';
import { lagosInstant, lagosLocal } from '../format/time.ts';
import { ASKED_WORDS, type PaymentLink } from './link-words.ts';
import { WalletField } from './wallet-field.tsx';

interface LinkForm {
  title: string;
  description: string;
  who: 'FIXED' | 'PAYER';
  amount: string;
  minAmount: string;
  maxAmount: string;
  uses: 'ANY' | 'ONCE' | 'NUMBER';
  maxPayments: string;
  payerName: keyof typeof ASKED_WORDS;
  payerEmail: keyof typeof ASKED_WORDS;
  expiresAt: string;
  walletId: string;
  returnUrl: string;
}

type Body = Extract<RequestOf<'post', '/collection/link'>, { body: unknown }>['body'];

const EMPTY: LinkForm = {
  title: '',
  description: '',
  who: 'FIXED',
  amount: '',
  minAmount: '',
  maxAmount: '',
  uses: 'ANY',
  maxPayments: '',
  payerName: 'REQUIRED',
  payerEmail: 'REQUIRED',
  expiresAt: '',
  walletId: '',
  returnUrl: '',
};
const ASKED = Object.entries(ASKED_WORDS).map(([value, label]) => ({ value, label }));

interface CreateLinkDialogProps {
  onClose: () => void;
  onCreated: (link: PaymentLink) => void;
}

/** What payers are asked for under a new link. It never changes afterwards. */
export function CreateLinkDialog({ onClose, onCreated }: CreateLinkDialogProps) {
  const server = useServerForm<LinkForm>({ defaultValues: EMPTY });
  const create = useAction('post', '/collection/link', { changes: ['/collection/link'] });
  const { form } = server;

  async function send(typed: LinkForm): Promise<void> {
    onCreated(await create.run({ body: bodyOf(typed) }));
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Create a payment link"
      description="A page on which people pay you. What it asks for cannot be changed later: create another link instead."
      server={server}
      onSend={send}
      send="Create the link"
    >
      <Field form={form} name="title" label="What is paid for" rules={{ required: 'Say what is paid for.' }}>
        {(control) => <Input {...control} maxLength={100} autoComplete="off" />}
      </Field>
      <Field form={form} name="description" label="More about it" optional>
        {(control) => <Textarea {...control} maxLength={500} />}
      </Field>
      <AmountFields form={form} />
      <UsesFields form={form} />
      <Field form={form} name="payerName" label="Payer's name">
        {(control) => <Select {...control} options={ASKED} />}
      </Field>
      <Field
        form={form}
        name="payerEmail"
        label="Payer's e-mail"
        hint="If the payer leaves it out, your own address is given to the provider."
      >
        {(control) => <Select {...control} options={ASKED} />}
      </Field>
      <WalletField form={form} />
      <Field form={form} name="expiresAt" label="Until, day and time in Lagos" optional>
        {(control) => <Input {...control} type="datetime-local" min={lagosLocal(nowDate())} />}
      </Field>
      <Field form={form} name="returnUrl" label="Afterwards the payer goes to" hint="An https address." optional>
        {(control) => <Input {...control} type="url" maxLength={2_000} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}

function AmountFields({ form }: { form: UseFormReturn<LinkForm> }) {
  const isFixed = form.watch('who') === 'FIXED';
  return (
    <>
      <ChoiceGroup legend="Who sets the amount">
        <Radio label="You: everybody pays the same" value="FIXED" {...form.register('who')} />
        <Radio label="The payer, within limits" value="PAYER" {...form.register('who')} />
      </ChoiceGroup>
      {isFixed ? (
        <Field form={form} name="amount" label="Amount" rules={{ validate: complainAboutMoney }}>
          {(control) => <MoneyInput {...control} />}
        </Field>
      ) : (
        <>
          <Field form={form} name="minAmount" label="At least" rules={{ validate: complainAboutMoney }}>
            {(control) => <MoneyInput {...control} />}
          </Field>
          <Field form={form} name="maxAmount" label="At most" rules={{ validate: complainAboutMoney }}>
            {(control) => <MoneyInput {...control} />}
          </Field>
        </>
      )}
    </>
  );
}

function UsesFields({ form }: { form: UseFormReturn<LinkForm> }) {
  const uses = form.watch('uses');
  return (
    <>
      <ChoiceGroup legend="How often it can be paid">
        <Radio label="Any number of times" value="ANY" {...form.register('uses')} />
        <Radio label="Once" value="ONCE" {...form.register('uses')} />
        <Radio label="Up to a number of times" value="NUMBER" {...form.register('uses')} />
      </ChoiceGroup>
      {uses === 'NUMBER' && (
        <Field
          form={form}
          name="maxPayments"
          label="Number of payments"
          rules={{
            pattern: { value: /^\s*\d{1,5}\s*$/, message: 'Enter a number, such as 40.' },
            required: 'Enter a number.',
          }}
        >
          {(control) => <Input {...control} inputMode="numeric" autoComplete="off" className="figures max-w-32" />}
        </Field>
      )}
    </>
  );
}

function bodyOf(typed: LinkForm): Exclude<Body, FormData> {
  const text = (value: string) => (value.trim() === '' ? undefined : value.trim());
  const given = {
    description: text(typed.description),
    walletId: text(typed.walletId),
    returnUrl: text(typed.returnUrl),
    expiresAt: typed.expiresAt === '' ? undefined : lagosInstant(typed.expiresAt),
    maxPayments: { ANY: undefined, ONCE: 1, NUMBER: Number(typed.maxPayments) }[typed.uses],
    ...(typed.who === 'FIXED'
      ? { amount: parseMoney(typed.amount) }
      : { minAmount: parseMoney(typed.minAmount), maxAmount: parseMoney(typed.maxAmount) }),
  };
  const { title, payerName, payerEmail } = typed;
  return { title: title.trim(), payerName, payerEmail, ...withoutGaps(given) };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** What was left empty is not sent. */
function withoutGaps<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
