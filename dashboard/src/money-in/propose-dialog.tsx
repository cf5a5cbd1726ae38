import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { Alert } from '../components/alert.tsx';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { EvidenceFields } from '../components/evidence-fields.tsx';
import { Field, FieldError } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import {
  ACTION_WORDS,
  type Action,
  actionsFor,
  EFFECT_WORDS,
  type Money,
  type Proposal,
  SOURCE_WORDS,
} from './money-words.ts';

interface Values {
  action: Action | '';
  accountNumber: string;
  source: Proposal['source'] | '';
  note: string;
}

const ACCOUNT_NUMBER = /^\d{10}$/;

/** The first of two people says what becomes of money that waits, and how they know. Nothing moves by it. */
export function ProposeDialog({ money, onClose }: { money: Money; onClose: () => void }) {
  const propose = usePropose(money);
  const server = useServerForm<Values>({ defaultValues: { action: '', accountNumber: '', source: '', note: '' } });
  const chosen = server.form.getFieldState('action', server.form.formState);
  const isAttributed = server.form.watch('action') === 'ATTRIBUTE';

  async function send(values: Values): Promise<void> {
    await propose(values);
    toast({ tone: 'good', text: 'Proposed. Nothing has moved: another person confirms it.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      server={server}
      onSend={send}
      send="Propose"
      title="What becomes of this money?"
      description="Nothing moves until another person confirms what you say."
    >
      <ChoiceGroup legend="Decision">
        {actionsFor(money).map((action) => (
          <Radio
            key={action}
            value={action}
            label={ACTION_WORDS[action]}
            hint={EFFECT_WORDS[action]}
            {...server.form.register('action', { required: 'Choose what becomes of it.' })}
          />
        ))}
        {chosen.error?.message !== undefined && <FieldError>{chosen.error.message}</FieldError>}
      </ChoiceGroup>
      {isAttributed && (
        <>
          <Field
            form={server.form}
            name="accountNumber"
            label="Account number of the wallet"
            hint={
              money.kind === 'PAYMENT'
                ? 'Ten digits. Empty: the wallet that it was paid to.'
                : 'Ten digits, whoever’s it is.'
            }
            rules={{
              pattern: { value: ACCOUNT_NUMBER, message: 'Enter ten digits.' },
              ...(money.kind === 'CREDIT' && { required: 'Enter ten digits.' }),
            }}
          >
            {(control) => <Input {...control} inputMode="numeric" maxLength={10} className="figures" />}
          </Field>
          <Whose accountNumber={server.form.watch('accountNumber').trim()} />
        </>
      )}
      <EvidenceFields form={server.form} sources={SOURCE_WORDS} />
    </FormDialog>
  );
}

/** Sends what a person says about a payment or about a credit. */
function usePropose(money: Money) {
  const changes = { changes: ['/operator'] };
  const ofPayment = useAction('post', '/operator/suspense/payment/propose', changes);
  const ofCredit = useAction('post', '/operator/suspense/credit/propose', changes);
  return async ({ action, accountNumber, source, note }: Values): Promise<void> => {
    if (action === '' || source === '') return;
    const number = accountNumber.trim();
    const said = { source, note, ...(action === 'ATTRIBUTE' && number !== '' && { accountNumber: number }) };
    const { merchantId, paymentId, mode, rail, creditKey } = money;
    if (merchantId !== null && paymentId !== null && action !== 'DISMISS') {
      await ofPayment.run({ body: { merchantId, mode, paymentId, action, ...said } });
    }
    if (creditKey !== null && action !== 'KEEP') await ofCredit.run({ body: { rail, creditKey, action, ...said } });
  };
}

/** Whose wallet it is, as soon as the number is whole. */
function Whose({ accountNumber }: { accountNumber: string }) {
  const isWhole = ACCOUNT_NUMBER.test(accountNumber);
  const { data } = useRead(
    '/operator/wallet/{accountNumber}',
    { path: { accountNumber } },
    { enabled: isWhole, retry: false },
  );
  if (!isWhole || data === undefined) return null;
  return (
    <Alert tone="info" title={data.accountName}>
      A wallet of {data.businessName ?? data.merchantId}, {data.mode === 'LIVE' ? 'live' : 'sandbox'}.
    </Alert>
  );
}
