import { KeyRound, LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data, Mode } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { SetPinDialog } from './set-pin-dialog.tsx';

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
        Whoever makes a payout gives the PIN with it. The business has two, one for the sandbox and one for live money:
        choose them apart, so that whoever tries things in the sandbox knows nothing of the other.
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
          digits that are not easy to guess, and tell them only to those who make payouts.
          {!mayManage && ' An owner or an administrator sets it.'}
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {pin.lockedUntil !== null && (
        <Alert tone="bad" title="Five wrong PINs: PIN operations of this mode are locked">
          They open again by themselves at <Moment at={pin.lockedUntil} show="time" /> in Lagos. If it was not you, set
          a new PIN: that ends the lock, and whoever guessed starts from nothing. The other mode and the rest of the
          account work as always.
        </Alert>
      )}
      <p>
        Set <Moment at={pin.setAt} />. It is kept as a hash, so nobody can read it, not even we.
      </p>
      {mayManage ? (
        <div>{setButton}</div>
      ) : (
        <p className="text-muted">Owners and administrators change it, after they give their password.</p>
      )}
    </div>
  );
}
