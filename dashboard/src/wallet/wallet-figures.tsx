import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { cn } from '../components/class-names.ts';
import { Copyable } from '../components/copy-button.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount, lessMoney } from '../format/money.ts';

interface Balances {
  bookedBalance: number;
  availableBalance: number;
  /** Null beyond what a number holds to the kobo. */
  totalChildAccountBalance: number | null;
  totalChildAccounts: number;
}

/** The figures of the main wallet; the same on home. What waits for a settlement, is in reserve or owed, is shown where anything is. */
export function WalletFigures({ wallet }: { wallet: Balances | undefined }) {
  const may = useMay();
  const mode = useMode();
  const enabled = may('collection:read', mode);
  const pending = useRead('/collection/pending', {}, { enabled }).data;
  const reserve = useRead('/collection/reserve', {}, { enabled }).data;
  const owed = useRead('/collection/owed', {}, { enabled }).data;
  return (
    <Figures
      figures={[
        { label: 'Available', value: wallet?.availableBalance, about: 'Yours to move or pay out now.' },
        { label: 'Booked', value: wallet?.bookedBalance, about: 'All that is in the wallet.' },
        {
          label: 'Held',
          value: wallet === undefined ? undefined : lessMoney(wallet.bookedBalance, wallet.availableBalance),
          about: 'Set aside for payouts on their way.',
        },
        ...(pending === undefined || pending.payments === 0
          ? []
          : [
              {
                label: 'Pending settlement',
                value: pending.amount,
                about: aboutPending(pending.payments),
              },
            ]),
        ...(reserve === undefined || reserve.payments === 0
          ? []
          : [{ label: 'In reserve', value: reserve.amount, about: <AboutReserve /> }]),
        ...(owed === undefined || owed.owed === 0
          ? []
          : [{ label: 'You owe', value: owed.owed, about: <AboutOwed /> }]),
        {
          label: 'In subaccounts',
          value: wallet?.totalChildAccountBalance,
          about: wallet === undefined ? 'In all of them.' : aboutAccounts(wallet.totalChildAccounts),
        },
      ]}
    />
  );
}

function AboutReserve() {
  return (
    <>
      Kept of payments in, and{' '}
      <Link to="/collections/reserve" className="text-accent underline">
        back on its days
      </Link>
      .
    </>
  );
}

function AboutOwed() {
  return (
    <>
      After{' '}
      <Link to="/collections/disputes" search={{ status: 'LOST' }} className="text-accent underline">
        disputes
      </Link>
      : money that comes in pays it first.
    </>
  );
}

function aboutPending(count: number): string {
  return count === 1
    ? 'One payment in, yours once its provider has settled it.'
    : `${formatCount(count)} payments in, yours once their providers have settled them.`;
}

function aboutAccounts(count: number): string {
  if (count === 0) return 'None is open yet.';
  return count === 1 ? 'In one subaccount.' : `In ${formatCount(count)} subaccounts.`;
}

export interface Figure {
  label: string;
  /** Undefined while it is being read, null where there is no such number. */
  value: number | null | undefined;
  /** What the figure means, in a few words. */
  about: ReactNode;
}

const MOST_IN_A_ROW = 4;

/** Balances side by side, on a phone one under the other; the first is the one that people look for. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl
      className={cn(
        'mb-8 flex flex-col gap-2 sm:gap-4 lg:flex-row lg:flex-wrap',
        // A card is as wide as its amount at least, and goes to the next row where there is no room: no digit is cut.
        figures.length > MOST_IN_A_ROW ? 'lg:*:basis-[30%]' : 'lg:*:basis-40',
      )}
    >
      {figures.map(({ label, value, about }, at) => (
        <div
          key={label}
          className={cn(
            'card flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-3 lg:block lg:grow lg:py-4',
            at === 0 && 'border-l-4 border-l-accent pl-3.25',
          )}
        >
          <dt className="text-xs font-medium text-muted">{label}</dt>
          <dd className={cn('lg:mt-1', at === 0 ? 'text-xl font-semibold' : 'text-lg font-medium')}>
            {value === undefined ? <Awaited /> : <Amount value={value} />}
          </dd>
          <dd className="w-full text-xs text-muted lg:mt-0.5">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

/** As high as the figure that comes, and on the same line as its label. */
function Awaited() {
  return (
    <span aria-hidden className="shimmer inline-block w-32 rounded-md">
      &nbsp;
    </span>
  );
}

/** For programs. */
export function WalletId({ id }: { id: string }) {
  return (
    <p className="mt-4 text-xs text-muted">
      Wallet id <Copyable text={id} what="wallet id" />
    </p>
  );
}
