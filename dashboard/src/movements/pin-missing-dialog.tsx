import { useMay, useMode } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';

/** Instead of a form that could only be refused. */
export function PinMissingDialog({ onClose, title }: { onClose: () => void; title: string }) {
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
        Money leaves a wallet only with the {mode === 'LIVE' ? 'live' : 'sandbox'} PIN of your business, and none is set
        yet. {may ? 'It takes a minute.' : 'Ask an owner or admin to set it under Settings.'}
      </p>
    </Dialog>
  );
}
