import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../components/dialog.tsx';

export interface LeavingRefusedProps {
  /** Cells that show what was typed and not taken. */
  cells: number;
}

/** Asks before a link leads away from cells that were not taken: what was typed there is nowhere else. */
export function LeavingRefused({ cells }: LeavingRefusedProps) {
  const blocker = useBlocker({
    // A filter of the rows keeps them.
    shouldBlockFn: ({ current, next }) => cells > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => cells > 0,
    withResolver: true,
  });
  const { status, proceed, reset } = blocker;
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without what was not saved?"
      confirm="Leave the page"
      cancel="Stay"
      danger
      onConfirm={async () => proceed?.()}
    >
      <p>
        {cells === 1 ? 'One cell shows' : `${cells} cells show`} what was typed and not taken. It is lost when you
        leave; the list keeps what it had.
      </p>
    </ConfirmDialog>
  );
}
