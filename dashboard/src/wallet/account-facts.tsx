import { Copyable } from '../components/values.tsx';

interface Account {
  bankName: string;
  accountName: string;
  accountNumber: string;
}

/** The bank account that a wallet is, ready to be copied. */
export function AccountFacts({ account, id }: { account: Account; id: string }) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      <div>
        <dt className="text-xs text-muted">Account number</dt>
        <dd className="text-lg font-semibold">
          <Copyable text={account.accountNumber} what="account number" />
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">Account name</dt>
        <dd className="mt-0.5">
          {account.accountName} <span className="text-muted">at {account.bankName}</span>
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">Wallet id</dt>
        <dd className="text-xs">
          <Copyable text={id} what="wallet id" />
        </dd>
      </div>
    </dl>
  );
}
