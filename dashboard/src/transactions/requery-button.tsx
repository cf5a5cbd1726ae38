import { RefreshCw } from 'lucide-react';
import { useAction } from '../api/action.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';

interface RequeryButtonProps {
  transaction: { transactionId: string; status: string; category: string };
}

/** Asks the bank now what became of a payout, instead of waiting for the next time that we do. */
export function RequeryButton({ transaction: { transactionId, status, category } }: RequeryButtonProps) {
  const requery = useAction('post', '/transaction/requery');
  const may = useMay()('transaction:requery', useMode());
  if (!may || status !== 'PROCESSING' || category !== 'PAYOUT') return null;

  async function ask(): Promise<void> {
    try {
      toast({ tone: 'info', text: answerOf((await requery.run({ body: { transactionId } })).status) });
    } catch (error) {
      const completed = error instanceof ApiError && error.code === 'TRANSACTION_ALREADY_COMPLETED';
      toast(
        completed ? { tone: 'info', text: 'It has ended in the meantime.' } : { tone: 'bad', text: messageOf(error) },
      );
    }
  }

  return (
    <Button icon={RefreshCw} busy={requery.isPending} onClick={() => void ask()}>
      Ask the bank again
    </Button>
  );
}

function answerOf(status: string): string {
  switch (status) {
    case 'SUCCESS':
      return 'The bank says that it is paid.';
    case 'FAILED':
      return 'The bank says that it is not paid. The money is back.';
    default:
      return 'The bank was asked and does not say yet. We keep asking; do not pay it again.';
  }
}
