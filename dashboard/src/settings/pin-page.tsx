import { KeyRound, LockKeyhole } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { ApiError } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode, useRenewSession } from '../api/session.ts';
import type { Data, Mode } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';

type Pin = Data<'get', '/pin'>;

/** The PIN that lets money leave in this mode: whether there is one, whether it is locked, and setting it. */
export function PinPage() {
  const mode = useMode();
  const pin = useRead('/pin', {});
  const mayManage = useMay()('pin:manage', mode);
  const [setting, setSetting] = useState(false);
  const isSet = pin.data?.isSet === true;
  return (
    <>
      <PageHeader title="PIN" beside={pin.data !== undefined && <PinBadge pin={pin.data} />}>
        Every payout needs the PIN. The business has two, one for the sandbox and one for live money: choose different
        ones, so that people who test in the sandbox do not know the other.
      </PageHeader>
      <Section title={titleOf(mode)} bare={pin.data !== undefined && !isSet}>
        {pin.data === undefined ? (
          pin.error === null ? (
            <Skeleton className="h-24 w-full rounded-control" />
          ) : (
            <ErrorState error={pin.error} onRetry={pin.refetch} />
          )
        ) : (
          <PinState pin={pin.data} mayManage={mayManage} onSet={() => setSetting(true)} />
        )}
      </Section>
      <SetPinDialog open={setting} mode={mode} isSet={isSet} onClose={() => setSetting(false)} />
    </>
  );
}

const titleOf = (mode: Mode) => (mode === 'LIVE' ? 'Live PIN' : 'Sandbox PIN');

function PinBadge({ pin }: { pin: Pin }) {
  if (!pin.isSet) return <Badge tone="warn">Not set</Badge>;
  return pin.lockedUntil === null ? <Badge tone="good">Set</Badge> : <Badge tone="bad">Locked</Badge>;
}

interface PinStateProps {
  pin: Pin;
  mayManage: boolean;
  onSet: () => void;
}

function PinState({ pin, mayManage, onSet }: PinStateProps) {
  const setButton = mayManage && (
    <Button look="primary" icon={KeyRound} onClick={onSet}>
      {pin.isSet ? 'Change the PIN' : 'Set the PIN'}
    </Button>
  );
  if (!pin.isSet) {
    return (
      <div className="card">
        <EmptyState
          icon={LockKeyhole}
          title={pin.mode === 'LIVE' ? 'No live PIN yet' : 'No sandbox PIN yet'}
          action={setButton}
        >
          Without it no {pin.mode === 'LIVE' ? 'live' : 'play'} money can leave, here or through the API. Choose 4 to 6
          digits that are not easy to guess, and share it only with those who make payouts.
          {!mayManage && ' An owner or an administrator sets it.'}
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {pin.lockedUntil !== null && (
        <Alert tone="bad" title="Five wrong PINs: PIN operations of this mode are locked">
          They are unlocked automatically at <Moment at={pin.lockedUntil} show="time" /> in Lagos. If it was not you,
          set a new PIN: that ends the lock, and earlier guesses are worthless. The other mode and the rest of the
          account work as usual.
        </Alert>
      )}
      <p>
        Set <Moment at={pin.setAt} />. It is kept as a hash, so nobody can read it, not even us.
      </p>
      {mayManage ? (
        <div>{setButton}</div>
      ) : (
        <p className="text-muted">Owners and administrators change it, after they give their password.</p>
      )}
    </div>
  );
}

interface PinForm {
  pin: string;
  again: string;
}

interface SetPinDialogProps {
  mode: Mode;
  isSet: boolean;
  onClose: () => void;
}

/** Sets or changes the PIN of the mode. The password is asked on the way where it was last given too long ago. */
function SetPinDialog({ open, ...dialog }: SetPinDialogProps & { open: boolean }) {
  return open ? <OpenSetPinDialog {...dialog} /> : null;
}

function OpenSetPinDialog({ mode, isSet, onClose }: SetPinDialogProps) {
  const word = modeWord(mode);
  const set = useAction('post', '/pin', { changes: ['/pin'] });
  const renew = useRenewSession();
  const server = useServerForm<PinForm>({ defaultValues: { pin: '', again: '' } });

  async function send({ pin }: PinForm): Promise<void> {
    try {
      await set.run({ body: { pin } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'PIN_TOO_SIMPLE') throw error;
      server.form.setError('pin', { type: 'server', message: error.message }, { shouldFocus: true });
      return;
    }
    toast({
      tone: 'good',
      text: isSet ? `The ${word} PIN is changed. The old one no longer works.` : `The ${word} PIN is set.`,
    });
    onClose();
    await renew();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`${isSet ? 'Change' : 'Set'} the ${word} PIN`}
      description="4 to 6 digits. Not one digit repeated (1111) and no run (1234)."
      server={server}
      onSend={send}
      send={isSet ? 'Change the PIN' : 'Set the PIN'}
    >
      <Digits form={server.form} name="pin" label="New PIN" />
      <Digits form={server.form} name="again" label="New PIN again" />
    </FormDialog>
  );
}

function Digits({
  form,
  name,
  label,
}: {
  form: UseFormReturn<PinForm>;
  name: keyof PinForm;
  label: string;
}): ReactNode {
  const rules =
    name === 'pin'
      ? { pattern: { value: /^\d{4,6}$/, message: 'A PIN has 4 to 6 digits.' } }
      : { validate: (again: string, all: PinForm) => again === all.pin || 'The two PINs differ.' };
  return (
    <Field form={form} name={name} label={label} rules={{ required: 'Enter 4 to 6 digits.', ...rules }}>
      {(control) => (
        <Input
          {...control}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          className="figures max-w-40 text-center text-lg tracking-[0.4em]"
        />
      )}
    </Field>
  );
}
