import { Link } from '@tanstack/react-router';
import { ArrowRight, TriangleAlert, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { cn } from '../components/class-names.ts';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatCount, formatMoney, lessMoney } from '../format/money.ts';
import { type DifferenceData, useDifference } from './use-difference.ts';

type KindCount = DifferenceData['kinds'][number];
type DifferenceKind = KindCount['kind'];
type Entry = RecordOf<'/payout/bulk/{batchReference}/difference/item'>;
type Side = NonNullable<Entry['now']>;

const WORDS: Record<DifferenceKind, { one: string; many: string; look: string }> = {
  CHANGED_ACCOUNT: { one: 'changed account', many: 'changed accounts', look: 'bg-bad' },
  UNCLEAR: { one: 'not clear', many: 'not clear', look: 'bg-warn' },
  NEW: { one: 'new person', many: 'new people', look: 'bg-info' },
  CHANGED_AMOUNT: { one: 'changed amount', many: 'changed amounts', look: 'bg-accent' },
  GONE: { one: 'person gone', many: 'people gone', look: 'bg-edge' },
  SAME: { one: 'the same', many: 'the same', look: 'bg-good' },
};

const PAGE_SIZE = 10;

export interface BatchDifferenceProps {
  batchReference: string;
  /** False while rows are being checked: then it changes every second. */
  enabled: boolean;
}

/** What differs from the list that was paid last time, people whose account has changed the loudest. */
export function BatchDifference({ batchReference, enabled }: BatchDifferenceProps) {
  const { data } = useDifference(batchReference, enabled);
  const [opened, setOpened] = useState<DifferenceKind>();
  if (data === undefined || data.earlier === null) return null;
  const { earlier, kinds } = data;
  const there = kinds.filter(({ count }) => count > 0);
  const countOf = (kind: DifferenceKind) => kinds.find((one) => one.kind === kind)?.count ?? 0;
  const alarming = countOf('CHANGED_ACCOUNT') > 0;
  const shown = opened !== undefined && countOf(opened) > 0 ? opened : alarming ? 'CHANGED_ACCOUNT' : undefined;
  return (
    <section
      aria-labelledby="difference"
      className={cn('card mb-6 flex flex-col gap-4 p-4 sm:p-5', alarming && 'border-l-4 border-l-bad')}
    >
      <div>
        <h2 id="difference" className="text-base font-semibold">
          Compared with{' '}
          <Link
            to="/bulk/$batchReference"
            params={{ batchReference: earlier.batchReference }}
            className="wrap-anywhere text-accent underline"
          >
            {earlier.fileName ?? 'the last list'}
          </Link>
        </h2>
        <p className="text-sm text-muted">
          {earlier.chosenBy === 'LIKE' ? 'The last paid list with most of these people' : 'The list it was made from'}
          {earlier.dispatchedAt !== null && (
            <>
              , <Moment at={earlier.dispatchedAt} show="day" />
            </>
          )}
          . <Total data={data} />
        </p>
      </div>
      {alarming && <ChangedAccounts count={countOf('CHANGED_ACCOUNT')} />}
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-2">
        {there.map((kind) => (
          <KindButton
            key={kind.kind}
            kind={kind}
            pressed={kind.kind === shown}
            onPress={() => setOpened(kind.kind === shown ? undefined : kind.kind)}
          />
        ))}
      </ul>
      {shown !== undefined && <Entries key={shown} batchReference={batchReference} kind={shown} />}
    </section>
  );
}

function Total({ data: { before, now } }: { data: DifferenceData }) {
  if (now.amount === null || before.amount === null) return <>The totals are too large to be compared.</>;
  const more = lessMoney(now.amount, before.amount);
  if (more === 0) return <>The total is the same.</>;
  return (
    <>
      The total is{' '}
      <strong className="figures font-semibold text-ink">
        {formatMoney(Math.abs(more))} {more > 0 ? 'more' : 'less'}
      </strong>
      .
    </>
  );
}

/** Money to another account under a known name is how payrolls are robbed. */
function ChangedAccounts({ count }: { count: number }) {
  return (
    <p className="flex items-start gap-2 rounded-control bg-bad-soft p-3 font-semibold text-bad">
      <UserRoundX className="mt-0.5 size-5 shrink-0" aria-hidden />
      <span>
        {count === 1 ? 'One person is' : `${formatCount(count)} people are`} paid to another account than last time.
        Call them on a number that you already have before you pay.
      </span>
    </p>
  );
}

interface KindButtonProps {
  kind: KindCount;
  pressed: boolean;
  onPress: () => void;
}

const sumText = (sum: number | null) => (sum === null ? 'over ₦70 trillion' : formatMoney(sum));

function KindButton({ kind: { kind, count, amountBefore, amountNow }, pressed, onPress }: KindButtonProps) {
  const { one, many, look } = WORDS[kind];
  return (
    <li>
      <button
        type="button"
        aria-pressed={pressed}
        onClick={onPress}
        className={cn(
          'flex w-full items-center gap-2.5 rounded-control border p-2.5 text-left hover:bg-hover',
          pressed && 'bg-accent-soft',
        )}
      >
        <span className={cn('size-3 shrink-0 rounded-full', look)} aria-hidden />
        <span className="min-w-0">
          <span className={cn('figures block font-semibold', kind === 'CHANGED_ACCOUNT' && 'text-bad')}>
            {formatCount(count)} {count === 1 ? one : many}
          </span>
          <span className="figures block text-xs text-muted">
            {kind === 'CHANGED_AMOUNT' ? (
              <>
                <span className="inline-block">{sumText(amountBefore)} →</span>{' '}
                <span className="inline-block">{sumText(amountNow)}</span>
              </>
            ) : (
              sumText(kind === 'GONE' ? amountBefore : amountNow)
            )}
          </span>
        </span>
      </button>
    </li>
  );
}

const CAPTIONS: Record<DifferenceKind, string> = {
  CHANGED_ACCOUNT: 'People whose account has changed',
  UNCLEAR: 'Names that stand for more than one account',
  NEW: 'People who were not on the earlier list',
  CHANGED_AMOUNT: 'People whose amount has changed',
  GONE: 'People who are no longer on the list',
  SAME: 'People who are paid the same as before',
};

function Entries({ batchReference, kind }: { batchReference: string; kind: DifferenceKind }) {
  const [place, setPlace] = useState<ListPlace>();
  const list = useList('/payout/bulk/{batchReference}/difference/item', {
    path: { batchReference },
    query: { kind, size: PAGE_SIZE, ...atPlace(place) },
  });
  return (
    <div>
      {kind === 'UNCLEAR' && (
        <p className="mb-2 flex items-start gap-2 text-sm text-muted">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
          These names stand for more than one account, in this list or in the earlier one. Nothing is concluded from
          them: compare them yourself.
        </p>
      )}
      <Table
        caption={CAPTIONS[kind]}
        columns={COLUMNS}
        rowKey={({ before, now }) => `${before?.itemId} ${now?.itemId}`}
        list={list}
        onPage={setPlace}
        empty={<EmptyState title="Nothing is left here">The list has been edited since.</EmptyState>}
      />
    </div>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    key: 'name',
    header: 'Person',
    cell: (entry) => {
      const { before, now } = entry;
      const { givenName, accountName, position } = (now ?? before) as Side;
      return (
        <>
          <span className="font-medium">{givenName ?? (accountName === '' ? 'No name' : accountName)}</span>
          <span className="block text-xs text-muted">
            Row {position}
            {now === null && ' of the earlier list'}
          </span>
          <span className="mt-1 block md:hidden">
            <Amounts entry={entry} />
          </span>
        </>
      );
    },
  },
  { key: 'account', header: 'Account', cell: (entry) => <Accounts entry={entry} /> },
  { key: 'amount', header: 'Amount', align: 'right', wideOnly: true, cell: (entry) => <Amounts entry={entry} /> },
];

function Accounts({ entry: { kind, before, now } }: { entry: Entry }) {
  if (kind !== 'CHANGED_ACCOUNT' || before === null || now === null) return <Account side={(now ?? before) as Side} />;
  return (
    <span className="flex flex-col gap-x-2 gap-y-1 sm:flex-row sm:items-center">
      <Account side={before} className="text-muted line-through" />
      <ArrowRight className="hidden size-4 shrink-0 text-bad sm:block" aria-label="now" />
      <Account side={now} className="font-semibold text-bad" />
    </span>
  );
}

function Account({
  side: { accountNumber, bankName, bankCode, accountName },
  className,
}: {
  side: Side;
  className?: string;
}) {
  return (
    <span className={cn('block min-w-0', className)}>
      <span className="figures block">{accountNumber}</span>
      <span className="block text-xs wrap-anywhere">
        {bankName === '' ? bankCode : bankName}
        {accountName !== '' && `, ${accountName}`}
      </span>
    </span>
  );
}

function Amounts({ entry: { before, now } }: { entry: Entry }) {
  const changed = before !== null && now !== null && before.amount !== now.amount;
  return (
    <>
      {changed && <Amount value={before.amount} className="block text-xs whitespace-nowrap text-muted line-through" />}
      <Amount value={(now ?? before)?.amount} className="block whitespace-nowrap" />
    </>
  );
}
