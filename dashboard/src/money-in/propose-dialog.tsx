import { useAction } from '../api/action.ts';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { EvidenceFields } from '../components/evidence-fields.tsx';
import { FieldError } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { useWalletOf, WalletFields, type WalletValues } from '../components/wallet-fields.tsx';
import { accountNumberOf } from '../format/accounts.ts';
import {
  ACTION_WORDS,
  type Action,
  actionsFor,
  EFFECT_WORDS,
  type Proposal,
  SOURCE_WORDS,
  type SuspenseEntry,
} from './money-words.ts';

interface Values extends WalletValues {
  action: Action | '';
  source: Proposal['source'] | '';
  note: string;
}

/** The first of two people says what becomes of money that waits, and how they know. Nothing moves by it. */
export function ProposeDialog({ money, onClose }: { money: SuspenseEntry; onClose: () => void }) {
  const propose = usePropose(money);
  const server = useServerForm<Values>({
    defaultValues: { action: '', accountNumber: '', bankOfNumber: '', source: '', note: '' },
    fields: { bankCode: 'bankOfNumber' },
  });
  const chosen = server.form.getFieldState('action', server.form.formState);
  const { action, accountNumber, bankOfNumber } = server.form.watch();
  const isAttributed = action === 'ATTRIBUTE';
  const found = useWalletOf({ accountNumber, bankOfNumber }, money.mode);

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
        <WalletFields
          form={server.form}
          found={found}
          hint={
            money.kind === 'PAYMENT'
              ? 'Ten digits. Empty: the wallet that it was paid to.'
              : 'Ten digits, whoever’s it is.'
          }
          isRequired={money.kind === 'CREDIT'}
        />
      )}
      <EvidenceFields form={server.form} sources={SOURCE_WORDS} />
    </FormDialog>
  );
}

/** Sends what a person says about a payment or about a credit. */
function usePropose(money: SuspenseEntry) {
  const changes = { changes: ['/operator'] };
  const ofPayment = useAction('post', '/operator/suspense/payment/propose', changes);
  const ofCredit = useAction('post', '/operator/suspense/credit/propose', changes);
  return async ({ action, accountNumber, bankOfNumber, source, note }: Values): Promise<void> => {
    if (action === '' || source === '') return;
    const number = accountNumberOf(accountNumber);
    const wallet = { accountNumber: number, ...(bankOfNumber !== '' && { bankCode: bankOfNumber }) };
    const said = { source, note, ...(action === 'ATTRIBUTE' && number !== '' && wallet) };
    const { merchantId, paymentId, mode, rail, creditKey } = money;
    if (merchantId !== null && paymentId !== null && action !== 'DISMISS') {
      await ofPayment.run({ body: { merchantId, mode, paymentId, action, ...said } });
    }
    if (creditKey !== null && action !== 'KEEP') await ofCredit.run({ body: { rail, creditKey, action, ...said } });
  };
}
