import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAction } from '../api/action.ts';
import { ApiError, type Problem } from '../api/errors.ts';
import { useLacksPin } from '../api/session.ts';
import { AccountFields } from '../beneficiaries/account-fields.tsx';
import { AccountName, useAccountOwner } from '../beneficiaries/bank-accounts.tsx';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Form, type ServerForm, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { complainAboutMoney, parseMoney } from '../format/money.ts';
import type { Purpose } from '../format/purposes.ts';
import { lagosInstant } from '../format/time.ts';
import { ConfirmPayout, QuoteCard, useQuote } from './confirm-payout.tsx';
import { NEW_PAYOUT, type PayoutDraft, PURPOSE_OPTIONS, requestOf, toBody } from './payout-draft.ts';
import { SavedBeneficiaries } from './saved-beneficiaries.tsx';
import { type KeptDraft, useKeptDraft } from './use-kept-draft.ts';
import { WhenFields } from './when-fields.tsx';

export interface PayoutFormProps {
  start: Partial<PayoutDraft>;
}

/** One payout, now or later. What it costs stands beside it while one types; the PIN comes last. */
export function PayoutForm({ start }: PayoutFormProps) {
  const lacksPin = useLacksPin();
  const kept = useKeptDraft();
  const server = useServerForm<PayoutDraft>({
    defaultValues: { ...NEW_PAYOUT, ...start, ...kept.read() },
    fields: { scheduledFor: 'later' },
  });
  const { subscribe } = server.form;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => kept.keep({ ...values }) }),
    [subscribe, kept],
  );
  const [bankCode, accountNumber, amountText, purpose] = server.form.watch([
    'bankCode',
    'accountNumber',
    'amount',
    'purpose',
  ]);
  const amount = parseMoney(amountText);
  const owner = useAccountOwner(bankCode, accountNumber);
  const quote = useQuote(amount, purpose as Purpose);
  const [asking, setAsking] = useState<{ allowDuplicate: boolean }>();
  const pay = usePaying(server, kept, () => setAsking(undefined));
  const { focusRefused } = pay;
  // The dialog of the PIN has to be gone first: behind it nothing takes the focus.
  useEffect(() => {
    if (asking === undefined) focusRefused();
  }, [asking, focusRefused]);

  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Section title="To whom, and how much">
        <Form
          server={server}
          onSend={async () => {
            pay.forgetDuplicate();
            setAsking({ allowDuplicate: false });
          }}
        >
          {pay.isUnanswered && <Unanswered />}
          <fieldset disabled={pay.isUnanswered} aria-label="Payout" className="flex flex-col gap-4">
            <BeneficiaryFields server={server} />
            <AccountName owner={owner} />
            <PaymentFields server={server} />
            <WhenFields form={server.form} />
          </fieldset>
          {pay.duplicate !== undefined && (
            <Alert
              tone="warn"
              title="This looks like the same payout again"
              action={
                <Button size="small" onClick={() => setAsking({ allowDuplicate: true })}>
                  Pay it again anyway
                </Button>
              }
            >
              <DuplicateText problem={pay.duplicate} />
            </Alert>
          )}
          {lacksPin ? (
            <PinMissing />
          ) : (
            <Button type="submit" look="primary" className="self-start">
              Continue to the PIN
            </Button>
          )}
        </Form>
      </Section>
      <QuoteCard amount={amount} quote={quote} />
      {asking !== undefined && (
        <ConfirmPayout
          draft={server.form.getValues()}
          owner={owner.data}
          quote={quote.quote}
          onClose={() => setAsking(undefined)}
          onConfirm={(pin) => pay.send(pin, asking.allowDuplicate)}
        />
      )}
    </div>
  );
}

/** What is asked about again has to be what was asked: until there is an answer the fields stay as they are. */
function Unanswered() {
  return (
    <Alert
      tone="warn"
      title="No answer came yet"
      action={
        <ButtonLink to="/payouts" search={{}} size="small">
          See the payouts
        </ButtonLink>
      }
    >
      We do not know whether this payout was accepted. Continuing asks about the same payout again: it is paid once,
      however often you press.
    </Alert>
  );
}

function PinMissing() {
  return (
    <Alert
      tone="warn"
      action={
        <ButtonLink to="/settings/pin" size="small">
          Set the PIN
        </ButtonLink>
      }
    >
      Paying takes the PIN of the business in this mode, and there is none yet. An owner or an administrator sets it.
    </Alert>
  );
}

type Server = { server: ServerForm<PayoutDraft> };

function BeneficiaryFields({ server: { form } }: Server) {
  return (
    <>
      <SavedBeneficiaries
        onChoose={({ bankCode, accountNumber }) => {
          form.setValue('bankCode', bankCode, { shouldValidate: true });
          form.setValue('accountNumber', accountNumber, { shouldValidate: true });
        }}
      />
      <AccountFields form={form} takesOnTab />
    </>
  );
}

function PaymentFields({ server: { form } }: Server) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="amount" label="Amount" rules={{ validate: complainAboutMoney }}>
          {(control) => <MoneyInput {...control} />}
        </Field>
        <Field form={form} name="purpose" label="Purpose">
          {(control) => <Select {...control} options={PURPOSE_OPTIONS} />}
        </Field>
      </div>
      <Field
        form={form}
        name="narration"
        label="Narration"
        hint="What the money is for. The beneficiary sees it."
        rules={{ validate: (text) => (text.trim() === '' ? 'Write what the money is for.' : undefined) }}
      >
        {(control) => <Input {...control} maxLength={100} />}
      </Field>
      <Field
        form={form}
        name="reference"
        label="Your reference"
        optional
        hint="An invoice number. It can be used once."
      >
        {(control) => <Input {...control} maxLength={64} autoComplete="off" />}
      </Field>
    </>
  );
}

/** Refusals that are about fields of the form: the PIN dialog goes away, and they stand next to the field. */
const AT_FIELD: Record<string, keyof PayoutDraft> = {
  ACCOUNT_NOT_FOUND: 'accountNumber',
  NAME_ENQUIRY_UNAVAILABLE: 'accountNumber',
  BANK_NOT_FOUND: 'bankCode',
  REFERENCE_TAKEN: 'reference',
  PAYOUT_LIMIT_EXCEEDED: 'amount',
  DAILY_LIMIT_EXCEEDED: 'amount',
  INSUFFICIENT_FUNDS: 'amount',
};

function usePaying({ form }: ServerForm<PayoutDraft>, kept: KeptDraft, close: () => void) {
  const navigate = useNavigate();
  const [begun] = useState(() => ({ body: requestOf(form.getValues()) }));
  const now = useAction('post', '/payout/single', { resumes: begun });
  const later = useAction('post', '/payout/single/schedule', { resumes: begun });
  const [duplicate, setDuplicate] = useState<Problem>();
  const refused = useRef<keyof PayoutDraft>(undefined);
  const refuse = (field: keyof PayoutDraft, message: string) => {
    refused.current ??= field;
    form.setError(field, { type: 'server', message });
  };
  const focusRefused = useCallback(() => {
    if (refused.current !== undefined) form.setFocus(refused.current);
    refused.current = undefined;
  }, [form]);

  async function send(pin: string, allowDuplicate: boolean): Promise<void> {
    const draft = form.getValues();
    const body = { ...toBody(draft), pin, ...(allowDuplicate ? { allowDuplicate } : {}) };
    try {
      const payout =
        draft.when === 'LATER'
          ? await later.run({ body: { ...body, scheduledFor: lagosInstant(draft.later) } })
          : await now.run({ body });
      kept.forget();
      await navigate({ to: '/payouts/$transactionId', params: { transactionId: payout.transactionId } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const field = AT_FIELD[error.code];
      if (error.code === 'PAYOUT_DUPLICATE') setDuplicate(error.problems[0]);
      else if (field !== undefined) refuse(field, error.message);
      else if (error.errors.some((problem) => problem.field !== 'pin')) {
        for (const problem of error.errors) {
          const name = problem.field === 'scheduledFor' ? 'later' : (problem.field as keyof PayoutDraft);
          refuse(name, `${problem.message}.`);
        }
      } else throw error;
      close();
    }
  }
  return {
    send,
    duplicate,
    forgetDuplicate: () => setDuplicate(undefined),
    /** Takes the focus to what was refused last, once. */
    focusRefused,
    isUnanswered: now.isUnanswered || later.isUnanswered,
  };
}

/** What a refused payout repeats, as the service says it, with a link to that. */
function DuplicateText({ problem: { message, params } }: { problem: Problem }) {
  const { transactionId, batchReference } = params;
  const look = 'font-medium underline';
  return (
    <>
      {message}{' '}
      {typeof transactionId === 'string' ? (
        <Link to="/payouts/$transactionId" params={{ transactionId }} className={look}>
          See the payout
        </Link>
      ) : (
        typeof batchReference === 'string' && (
          <Link to="/bulk/$batchReference" params={{ batchReference }} className={look}>
            See the bulk payout
          </Link>
        )
      )}
    </>
  );
}
