import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { ApiError } from '../api/errors.ts';
import { useLacksPin, useMay, useMode } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useServerForm } from '../components/form.tsx';
import { PinDialog } from '../components/pin-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { modeWord } from '../format/modes.ts';
import { formatMoney, parseMoney } from '../format/money.ts';
import { MovementForm, type Side, SidesList, type TypedMovement } from './movement-form.tsx';

export interface MovementInput {
  amount: number;
  /** Empty where nothing was typed. */
  narration: string;
  /** Empty where none is asked for. */
  pin: string;
}

export interface MovementDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  from: Side;
  to: Side;
  /** Whether the service asks for the PIN: wherever money leaves a wallet that somebody else looks after. */
  needsPin?: boolean;
  /** Without it there is no field. */
  narration?: 'required' | 'optional';
  /** The verb: "Move". */
  verb: string;
  /** Sends it. @throws ApiError */
  send: (input: MovementInput) => Promise<unknown>;
  /** A request went out and no answer came: the same amount is asked about again. */
  isUnanswered: boolean;
}

const EMPTY: TypedMovement = { amount: '', narration: '' };

/** What the service refuses about an amount, without naming the field. */
const ABOUT_AMOUNT = new Set(['INSUFFICIENT_FUNDS', 'SANDBOX_FUNDING_TOO_LARGE', 'SANDBOX_WALLET_FULL']);

/**
 * Moves money between two wallets of the merchant: amount, narration, then the PIN where one is asked for. Render it for
 * as long as its page stands, so that what was typed and the key of a request without an answer outlive its closing.
 */
export function MovementDialog(props: MovementDialogProps) {
  const { open, onClose, title, from, to, needsPin = false, verb, send } = props;
  const server = useServerForm<TypedMovement>({ defaultValues: EMPTY });
  const [asksPin, setAsksPin] = useState(false);
  const lacksPin = useLacksPin();
  const sum = () => formatMoney(parseMoney(server.form.getValues('amount')) ?? 0);

  async function move(pin: string): Promise<void> {
    const { amount, narration } = server.form.getValues();
    try {
      await send({ amount: parseMoney(amount) ?? 0, narration: narration.trim(), pin });
    } catch (error) {
      if (!showAtFields(error)) throw error;
      return;
    }
    toast({ tone: 'good', text: `${sum()} moved from ${from.name} to ${to.name}.` });
    server.form.reset(EMPTY);
    onClose();
  }

  /** Takes a refusal of the amount or the narration back to the form that has them. */
  function showAtFields(error: unknown): boolean {
    if (!(error instanceof ApiError)) return false;
    const problems = ABOUT_AMOUNT.has(error.code) ? [{ field: 'amount', message: error.message }] : error.errors;
    const own = problems.filter(({ field }) => field === 'amount' || field === 'narration');
    for (const { field, message } of own) {
      server.form.setError(field as keyof TypedMovement, { type: 'server', message });
    }
    return own.length > 0;
  }

  if (!open) return null;
  if (needsPin && lacksPin) return <PinMissingDialog onClose={onClose} title={title} />;
  if (asksPin) {
    return (
      <PinDialog
        open
        onClose={() => setAsksPin(false)}
        title={title}
        confirm={`${verb} ${sum()}`}
        onConfirm={async (pin) => move(pin)}
      >
        <SidesList from={from} to={to} amount={parseMoney(server.form.getValues('amount')) ?? 0} />
      </PinDialog>
    );
  }
  return (
    <MovementForm
      {...props}
      server={server}
      send={needsPin ? 'Continue' : verb}
      onSend={async () => (needsPin ? setAsksPin(true) : move(''))}
    />
  );
}

export interface FundDialogProps {
  open: boolean;
  onClose: () => void;
  wallet: { id: string; name: string };
}

/** Makes money in the sandbox, where no bank does. */
export function FundDialog({ open, onClose, wallet }: FundDialogProps) {
  const fund = useAction('post', '/sandbox/wallet/fund');
  return (
    <MovementDialog
      open={open}
      onClose={onClose}
      title="Add test money"
      from={{ name: 'The sandbox' }}
      to={{ name: wallet.name }}
      verb="Add"
      isUnanswered={fund.isUnanswered}
      send={({ amount }) => fund.run({ body: { walletId: wallet.id, amount } })}
    />
  );
}

/** Instead of a form that could only be refused. */
function PinMissingDialog({ onClose, title }: { onClose: () => void; title: string }) {
  const mode = useMode();
  const may = useMay()('pin:manage', mode);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {may && (
            <ButtonLink to="/settings/pin" look="primary">
              Set the PIN
            </ButtonLink>
          )}
        </>
      }
    >
      <p>
        Money leaves a wallet only with the {modeWord(mode)} PIN of your business, and none is set yet.{' '}
        {may ? 'It takes a minute.' : 'Ask an owner or admin to set it under Settings.'}
      </p>
    </Dialog>
  );
}
