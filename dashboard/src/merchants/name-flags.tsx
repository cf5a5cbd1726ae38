import { Badge } from '../components/status.tsx';
import type { Merchant } from './merchant.tsx';

type Flag = Merchant['nameFlags'][number];

const PARTIES: Record<Flag['party'], string> = {
  BUSINESS: 'The business',
  DIRECTOR: 'Its director',
  OWNER: 'Who signed up',
};

/** Green stands beside the same words alone, and only where a bank said them. */
function wordOf({ verdict, isProven, score }: Flag) {
  if (verdict === 'DIFFERENT') return <Badge tone="bad">Different name, {score} of 100</Badge>;
  if (verdict === 'ALIKE') return <Badge tone="warn">Alike, not the same, {score} of 100</Badge>;
  return isProven ? (
    <Badge tone="good">The same words</Badge>
  ) : (
    <Badge tone="warn">The same words, not from a bank</Badge>
  );
}

/** The name on the settlement account beside each name that the merchant gave, the least alike first. */
export function NameFlags({ flags }: { flags: readonly Flag[] }) {
  const [first] = flags;
  if (first === undefined) return <p className="text-sm text-muted">No bank has said whose account it is.</p>;
  return (
    <div>
      <p className="mb-2 text-sm">
        The account is in the name <strong className="wrap-anywhere">{first.accountName}</strong>
        {!first.isProven && ', which the sandbox made up'}.
      </p>
      <ul aria-label="Names beside the settlement account's" className="flex flex-col divide-y">
        {flags.map((flag) => (
          <li key={flag.party} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span className="min-w-0 text-sm">
              <span className="text-muted">{PARTIES[flag.party]}:</span>{' '}
              <span className="wrap-anywhere">{flag.name}</span>
            </span>
            {wordOf(flag)}
          </li>
        ))}
      </ul>
    </div>
  );
}
