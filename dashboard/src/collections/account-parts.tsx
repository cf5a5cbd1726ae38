import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { ACCOUNT_TONES, ACCOUNT_WORDS, type Account } from './account-words.ts';

export function AccountStatus({ account: { status, message } }: { account: Account }) {
  return (
    <Badge tone={ACCOUNT_TONES[status]} title={message ?? undefined}>
      {ACCOUNT_WORDS[status]}
    </Badge>
  );
}

/** What a payer types, or why there is nothing to type yet. */
export function AccountNumbers({ account }: { account: Account }) {
  if (account.accounts.length === 0) {
    const said = account.message ?? (account.status === 'REQUESTED' ? 'The bank is being asked.' : 'No number');
    return <p className="text-xs break-words text-muted">{said}</p>;
  }
  return (
    <ul className="grid gap-1">
      {account.accounts.map(({ accountNumber, bankName, accountName }) => (
        <li key={accountNumber}>
          {account.status === 'OPEN' ? (
            <Copyable text={accountNumber} what={`account number of ${accountName}`} />
          ) : (
            <span className="figures font-mono text-[0.95em]">{accountNumber}</span>
          )}
          <p className="text-xs break-words text-muted">
            {bankName}, {accountName}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Closes the account number of a customer, after a question: it is for good. */
export function CloseButton({ account }: { account: Account }) {
  const [isAsking, setAsking] = useState(false);
  if (account.status !== 'OPEN' || account.customerId === null) return null;
  return (
    <>
      <Button size="small" aria-label={`Close the number of ${account.customerName}`} onClick={() => setAsking(true)}>
        Close
      </Button>
      {isAsking && <CloseDialog account={account} onClose={() => setAsking(false)} />}
    </>
  );
}

function CloseDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const server = useServerForm({ defaultValues: {} });
  const close = useAction('post', '/collection/account/{virtualAccountId}/close', {
    changes: ['/collection/account'],
  });
  const [number] = account.accounts;

  async function send(): Promise<void> {
    await close.run({ path: { virtualAccountId: account.virtualAccountId } });
    toast({ tone: 'good', text: `The account number of ${account.customerName} is closed.` });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Close ${number?.accountNumber ?? 'the account number'}?`}
      description={`${account.customerName} must not pay to it any more. It cannot be opened again; what still comes to it is held until your operator decides.`}
      server={server}
      onSend={send}
      send="Close it"
      cancel="Keep it open"
      danger
    >
      {null}
    </FormDialog>
  );
}
