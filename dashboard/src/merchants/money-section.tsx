import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { AvailabilitySection } from './availability-section.tsx';
import type { Merchant, RailChoice } from './merchant.tsx';

/** What a merchant holds in each mode, how much it may pay out, and which rails pay. */
export function MoneySection({ merchant }: { merchant: Merchant }) {
  return (
    <>
      {merchant.wallets.map((wallet) => (
        <Section key={wallet.walletId} title={`Wallet, ${modeWord(wallet.mode)}`}>
          <DescriptionList
            items={[
              { label: 'Booked', value: <Amount value={wallet.bookedBalance} /> },
              { label: 'Available', value: <Amount value={wallet.availableBalance} /> },
              {
                label: 'Account',
                value: (
                  <Copyable
                    text={wallet.accountNumber}
                    what={`account number of the ${modeWord(wallet.mode)} wallet`}
                  />
                ),
              },
              { label: 'Bank', value: wallet.bankName },
              { label: 'Subaccounts', value: wallet.subaccounts, figure: true },
              { label: 'In subaccounts', value: <Amount value={wallet.subaccountBalance} /> },
            ]}
          />
        </Section>
      ))}
      <LimitsInForce merchant={merchant} />
      <AvailabilitySection merchant={merchant} />
      <RailsSection merchant={merchant} />
    </>
  );
}

const CHOSEN_BY: Record<RailChoice['chosenBy'], string> = {
  MERCHANT: 'The merchant chose them.',
  OPERATOR: 'The operator chose them.',
  DEFAULT: 'The default of all merchants.',
};

/** Which rails pay for a merchant. */
function RailsSection({ merchant }: { merchant: Merchant }) {
  const [choosing, setChoosing] = useState<RailChoice>();
  return (
    <Section title="Rails" about="A choice is known everywhere within 5 seconds; payouts stay where they are." bare>
      <ul className="card divide-y">
        {merchant.rails.map((choice) => (
          <li key={choice.mode} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5">
            <div>
              <p className="font-medium">{choice.mode === 'LIVE' ? 'Live' : 'Sandbox'}</p>
              <p className="text-sm text-muted">{railsInWords(choice)}</p>
            </div>
            <Button
              size="small"
              aria-label={`Choose its rails, ${modeWord(choice.mode)}`}
              onClick={() => setChoosing(choice)}
            >
              Choose
            </Button>
          </li>
        ))}
      </ul>
      {choosing !== undefined && (
        <ChooseRailsDialog merchant={merchant} choice={choosing} onClose={() => setChoosing(undefined)} />
      )}
    </Section>
  );
}

function railsInWords({ first, second, chosenBy }: RailChoice): string {
  if (first === null) return 'No rail is set: nothing can be paid.';
  const off = first.isActive ? '' : ' (switched off)';
  const then = second === null ? '' : `; fails over to ${second.name}`;
  return `Pays by ${first.name}${off}${then}. ${CHOSEN_BY[chosenBy]}`;
}

interface ChooseRailsDialogProps {
  merchant: Merchant;
  choice: RailChoice;
  onClose: () => void;
}

/** Sets the rails of one merchant, or returns it to those of all. */
function ChooseRailsDialog({ merchant, choice, onClose }: ChooseRailsDialogProps) {
  const { merchantId, businessName } = merchant;
  const choose = useAction('post', '/operator/merchant/{merchantId}/rail', { changes: ['/operator'] });
  const { data } = useRead('/operator/rail', {});
  const isOwn = choice.chosenBy !== 'DEFAULT';
  const server = useServerForm({
    defaultValues: {
      first: isOwn ? (choice.first?.name ?? '') : '',
      second: isOwn ? (choice.second?.name ?? '') : '',
    },
  });
  const options = (data?.records ?? [])
    .filter(({ mode }) => mode === choice.mode)
    .map(({ railId, active }) => ({ value: railId, label: active ? railId : `${railId} (switched off)` }));
  const first = server.form.watch('first');

  async function send(values: { first: string; second: string }): Promise<void> {
    const body = {
      mode: choice.mode,
      first: values.first === '' ? null : values.first,
      second: values.first === '' || values.second === '' ? null : values.second,
    };
    await choose.run({ path: { merchantId }, body });
    toast({ tone: 'good', text: `The rails of ${businessName} are set.` });
    onClose();
  }

  // Drawn once the choices are there: a list without its value would show another one.
  if (data === undefined) return null;
  return (
    <FormDialog
      onClose={onClose}
      title={`Rails of ${businessName}, ${modeWord(choice.mode)}`}
      description="For payouts from now on. Those that were created before stay where they are."
      server={server}
      onSend={send}
      send="Set the rails"
    >
      <Field form={server.form} name="first" label="Pays">
        {(control) => <Select {...control} options={options} placeholder="The default of all merchants" />}
      </Field>
      {first !== '' && (
        <Field
          form={server.form}
          name="second"
          label="Fails over to"
          optional
          hint="Only payouts that the first rail certainly never received, or refused for reasons of its own."
        >
          {(control) => (
            <Select {...control} options={options.filter(({ value }) => value !== first)} placeholder="None" />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

type Limit = Merchant['limits'][number];

/** How much a merchant may pay out in each mode, by limits of its own or by those of all. */
function LimitsInForce({ merchant }: { merchant: Merchant }) {
  const [ending, setEnding] = useState<Limit>();
  return (
    <Section
      title="Limits in force"
      actions={
        <ButtonLink to="/operator/limits" search={{ merchantId: merchant.merchantId }} size="small">
          See and set limits
        </ButtonLink>
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        {merchant.limits.map((limit) => (
          <OneMode key={limit.mode} limit={limit} onEnd={() => setEnding(limit)} />
        ))}
      </div>
      {ending !== undefined && (
        <EndLimitDialog merchant={merchant} mode={ending.mode} onClose={() => setEnding(undefined)} />
      )}
    </Section>
  );
}

function OneMode({ limit: { mode, perPayout, perDay, isOwn }, onEnd }: { limit: Limit; onEnd: () => void }) {
  const word = mode === 'LIVE' ? 'Live' : 'Sandbox';
  return (
    <div>
      <div className="mb-1 flex min-h-8 flex-wrap items-center justify-between gap-2">
        <p className="font-medium">
          {word} <span className="font-normal text-muted">({isOwn ? 'its own' : 'as all merchants'})</span>
        </p>
        {isOwn && (
          <Button size="small" onClick={onEnd} aria-label={`End its own limits, ${word.toLowerCase()}`}>
            End
          </Button>
        )}
      </div>
      <DescriptionList
        layout="rows"
        items={[
          { label: 'A payout', value: perPayout === null ? 'No limit' : <Amount value={perPayout} /> },
          { label: 'A day', value: perDay === null ? 'No limit' : <Amount value={perDay} /> },
        ]}
      />
    </div>
  );
}

interface EndLimitDialogProps {
  merchant: Merchant;
  mode: Limit['mode'];
  onClose: () => void;
}

function EndLimitDialog({ merchant: { merchantId, businessName }, mode, onClose }: EndLimitDialogProps) {
  const end = useAction('post', '/operator/limit/end', { changes: ['/operator'] });
  async function go(): Promise<void> {
    await end.run({ body: { merchantId, mode } });
    toast({ tone: 'good', text: `The limits of all merchants hold for ${businessName}.` });
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`End the limits of ${businessName}?`}
      confirm="End its own limits"
      onConfirm={go}
    >
      <p>
        {mode === 'LIVE' ? 'Live' : 'In the sandbox'}, the limits of all merchants hold for it again, within a minute
        everywhere. What was in force stays on record.
      </p>
    </ConfirmDialog>
  );
}
