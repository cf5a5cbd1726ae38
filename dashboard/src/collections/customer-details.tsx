import { useState } from 'react';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { AccountNumbers, AccountStatus, CloseButton } from './account-parts.tsx';
import { type Customer, CustomerDialog } from './customer-dialog.tsx';
import { OpenAccountDialog } from './open-account-dialog.tsx';
import { PAYMENT_WORDS } from './payment-words.ts';
import { WalletName } from './wallet-name.tsx';

const LOOK_EVERY_MS = 5_000;
const MOST_SHOWN = 5;

/** A customer: who it is, the account numbers that it pays to, and what it paid last. */
export function CustomerDetails({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const mayWrite = useMay()('collection:write', useMode());
  const [form, setForm] = useState<'CHANGE' | 'OPEN'>();
  const { customerId, name } = customer;
  if (form === 'CHANGE') return <CustomerDialog customer={customer} onClose={() => setForm(undefined)} />;
  if (form === 'OPEN') return <OpenAccountDialog customer={customer} onClose={() => setForm(undefined)} />;
  return (
    <Dialog
      open
      onClose={onClose}
      kind="wide"
      title={name}
      actions={
        <>
          <ButtonLink to="/collections/sessions" search={{ customerId }}>
            See the sessions
          </ButtonLink>
          {mayWrite && <Button onClick={() => setForm('CHANGE')}>Change</Button>}
          {mayWrite && (
            <Button look="primary" onClick={() => setForm('OPEN')}>
              Open an account number
            </Button>
          )}
        </>
      }
    >
      <DescriptionList
        items={[
          { label: 'E-mail', value: customer.email },
          { label: 'Phone', value: customer.phoneNumber },
          { label: 'Added', value: <Moment at={customer.createdAt} show="day" /> },
        ].filter(({ value }) => value !== null)}
      />
      <Accounts customerId={customerId} mayWrite={mayWrite} />
      <Payments customerId={customerId} />
    </Dialog>
  );
}

function Accounts({ customerId, mayWrite }: { customerId: string; mayWrite: boolean }) {
  const query = { customerId, size: 20 };
  const { data, error, refetch } = useList('/collection/account', { query }, { refetchInterval: LOOK_EVERY_MS });
  return (
    <section className="mt-6" aria-labelledby="accounts-of-customer">
      <h3 id="accounts-of-customer" className="mb-2 text-sm font-semibold">
        Account numbers
      </h3>
      {data === undefined &&
        (error === null ? <Skeleton className="h-12 w-full" /> : <ErrorState error={error} onRetry={refetch} />)}
      {data?.records.length === 0 && (
        <p className="text-sm text-muted">None. Open one, and each payment to it names this customer.</p>
      )}
      <ul className="grid gap-3">
        {data?.records.map((account) => (
          <li key={account.virtualAccountId} className="flex flex-wrap items-start justify-between gap-2">
            <div className="min-w-0">
              <AccountNumbers account={account} />
              <p className="text-xs text-muted">
                To <WalletName walletId={account.walletId} />
              </p>
            </div>
            <div className="flex items-center gap-2">
              <AccountStatus account={account} />
              {mayWrite && <CloseButton account={account} />}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Payments({ customerId }: { customerId: string }) {
  const query = { customerId, size: MOST_SHOWN };
  const { data, error, refetch } = useList('/collection/payment', { query }, { refetchInterval: LOOK_EVERY_MS });
  return (
    <section className="mt-6" aria-labelledby="payments-of-customer">
      <h3 id="payments-of-customer" className="mb-2 text-sm font-semibold">
        Payments
      </h3>
      {data === undefined &&
        (error === null ? <Skeleton className="h-12 w-full" /> : <ErrorState error={error} onRetry={refetch} />)}
      {data?.records.length === 0 && <p className="text-sm text-muted">Nothing has come from this customer yet.</p>}
      <ul className="grid gap-2">
        {data?.records.map(({ paymentId, amount, confirmedAt, status, reason }) => (
          <li key={paymentId} className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <span>
              <Moment at={confirmedAt} />
            </span>
            <span className="flex items-center gap-2">
              <Status status={status} reason={reason} word={PAYMENT_WORDS[status]} />
              <Amount
                value={amount}
                className="font-medium"
                {...(status === 'CREDITED' && { direction: 'in' as const })}
              />
            </span>
          </li>
        ))}
      </ul>
      {(data?.records.length ?? 0) > 0 && (
        <p className="mt-3">
          <ButtonLink to="/collections" search={{ customerId }} size="small">
            See all its payments
          </ButtonLink>
        </p>
      )}
    </section>
  );
}
