import { useAction } from '../api/action.ts';
import { MovementDialog } from './movement-dialog.tsx';

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
      title="Add play money"
      from={{ name: 'The sandbox' }}
      to={{ name: wallet.name }}
      verb="Add"
      isUnanswered={fund.isUnanswered}
      send={({ amount }) => fund.run({ body: { walletId: wallet.id, amount } })}
    />
  );
}
