import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  /** The verb: "Revoke key". Never "OK". */
  confirm: string;
  danger?: boolean;
  /** The dialog closes when it resolves and shows the refusal when it rejects. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ open, onClose, title, children, confirm, danger, onConfirm }: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  function close(): void {
    setProblem(undefined);
    onClose();
  }
  async function go(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  const actions = (
    <>
      <Button onClick={close} disabled={busy}>
        Cancel
      </Button>
      <Button look={danger === true ? 'danger' : 'primary'} busy={busy} onClick={() => void go()}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={close} title={title} locked={busy} actions={actions}>
      <div className="flex flex-col gap-3">
        {children}
        {problem !== undefined && <Alert tone="bad">{problem}</Alert>}
      </div>
    </Dialog>
  );
}
