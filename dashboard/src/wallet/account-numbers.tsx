import { RefreshCw, Share2 } from 'lucide-react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';

type WalletAccounts = Data<'get', '/wallet/{walletId}/account'>;
type ReceivingAccount = WalletAccounts['accounts'][number];

const LOOK_EVERY_MS = 5_000;
const AT_REST_MS = 60_000;

/** The account numbers that anybody can pay to, ready to be copied or sent, and what is still being opened. */
export function AccountNumbers({ walletId, name }: { walletId: string; name: string }) {
  const mode = useMode();
  const { data, error, refetch } = useRead(
    '/wallet/{walletId}/account',
    { path: { walletId } },
    { refetchInterval: ({ state }) => (isWaiting(state.data) ? LOOK_EVERY_MS : AT_REST_MS) },
  );
  if (data === undefined) {
    return error === null ? <Skeleton className="h-20 w-full" /> : <ErrorState error={error} onRetry={refetch} />;
  }
  return (
    <div className="grid gap-4">
      {data.accounts.length > 0 && (
        <ul className="grid gap-3 sm:grid-cols-2">
          {data.accounts.map((account) => (
            <AccountCard key={account.accountNumber} account={account} name={name} />
          ))}
        </ul>
      )}
      <OpeningState accounts={data} walletId={walletId} />
      {mode === 'SANDBOX' && data.accounts.length > 0 && (
        <p className="text-xs text-muted">A sandbox number: no real bank knows it. Add test money to try it.</p>
      )}
    </div>
  );
}

const isWaiting = (accounts: WalletAccounts | undefined): boolean =>
  accounts?.requests.some(({ status }) => status === 'REQUESTED') === true;

function AccountCard({ account, name }: { account: ReceivingAccount; name: string }) {
  const { accountName, accountNumber, bankName } = account;
  return (
    <li className="card flex flex-wrap items-end justify-between gap-3 px-4 py-3">
      <dl className="min-w-0">
        <dt className="text-xs text-muted">{bankName}</dt>
        <dd className="text-xl font-semibold">
          <Copyable text={accountNumber} what={`account number of ${name}`} />
        </dd>
        <dt className="sr-only">Account name</dt>
        <dd className="break-words">{accountName}</dd>
      </dl>
      <Button
        size="small"
        icon={Share2}
        aria-label={`Share the account number ${accountNumber} at ${bankName}`}
        onClick={() => void share(account)}
      >
        Share
      </Button>
    </li>
  );
}

/** By what the device has for it; elsewhere all of it is copied. */
async function share({ accountName, accountNumber, bankName }: ReceivingAccount): Promise<void> {
  const text = `${bankName}\n${accountNumber}\n${accountName}`;
  try {
    if (typeof navigator.share === 'function') await navigator.share({ text });
    else {
      await navigator.clipboard.writeText(text);
      toast({ tone: 'good', text: 'Copied: bank, account number and name.' });
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    toast({ tone: 'bad', text: 'The browser does not allow sharing here. Copy the number instead.' });
  }
}

/** Why there is no number yet, and what can be done about it. */
function OpeningState({ accounts: { accounts, requests }, walletId }: { accounts: WalletAccounts; walletId: string }) {
  const latest = requests.find(({ status }) => status !== 'CLOSED');
  if (latest?.status === 'FAILED') return <Refused message={latest.message} walletId={walletId} />;
  if (latest?.status === 'REQUESTED') {
    return (
      <Alert tone="info" title="An account number is being opened">
        {latest.message ?? 'The bank is being asked. This takes a moment; you may leave this page.'}
      </Alert>
    );
  }
  if (accounts.length > 0) return null;
  return (
    <Alert tone="info" title="No account number yet">
      No bank that opens account numbers is connected. Your operator can credit money that arrived at its own bank.
    </Alert>
  );
}

function Refused({ message, walletId }: { message: string | null; walletId: string }) {
  const mayAsk = useMay()('collection:write', useMode());
  const ask = useAction('post', '/collection/account');
  async function again(): Promise<void> {
    try {
      await ask.run({ body: { walletId } });
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }
  return (
    <Alert
      tone="warn"
      title="The account number could not be opened"
      action={
        mayAsk && (
          <Button size="small" icon={RefreshCw} disabled={ask.isPending} onClick={() => void again()}>
            Ask again
          </Button>
        )
      }
    >
      {message ?? 'The bank refused it.'}
    </Alert>
  );
}
