import { RefreshCw } from 'lucide-react';
import { useAction } from '../api/action.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { showStatus } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import type { Transaction } from './transaction-columns.tsx';

/** Asks the bank now what became of a payout, instead of waiting for the next time that we do. */
export function RequeryButton({ transaction }: { transaction: Transaction }) {
  const requery = useAction('post', '/transaction/requery');
  const may = useMay()('transaction:requery', useMode());
  const open = transaction.status === 'PROCESSING' || transaction.status === 'QUEUED';
  if (!may || !open || transaction.category !== 'PAYOUT') return null;

  async function ask(): Promise<void> {
    try {
      await requery.run({ body: { transactionId: transaction.transactionId } });
      toast({ tone: 'info', text: 'The bank was asked. What it says stands in the evidence.' });
    } catch (error) {
      const completed = error instanceof ApiError && error.code === 'TRANSACTION_ALREADY_COMPLETED';
      toast(completed ? { tone: 'info', text: 'It has ended meanwhile.' } : { tone: 'bad', text: messageOf(error) });
    }
  }

  return (
    <Button
      icon={RefreshCw}
      busy={requery.isPending}
      onClick={() => void ask()}
      title={showStatus(transaction.status).word}
    >
      Ask the bank again
    </Button>
  );
}
