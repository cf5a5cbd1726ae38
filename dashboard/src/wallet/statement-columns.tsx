import { Link } from '@tanstack/react-router';
import type { RecordOf } from '../api/types.ts';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { entryWord } from './entry-words.ts';
import { Reference } from './reference.tsx';

export type StatementEntry = RecordOf<'/wallet/{walletId}/statement'>;

/** An entry has no id: one transaction can have several, each with a code of its own and a balance after it. */
export const entryKey = (entry: StatementEntry): string =>
  `${entry.transactionId}/${entry.code}/${entry.balanceAfter}/${entry.createdAt}`;

export const STATEMENT_COLUMNS: readonly Column<StatementEntry>[] = [
  {
    key: 'what',
    header: 'What',
    cell: (entry) => (
      <>
        <Link
          to="/transactions/$transactionId"
          params={{ transactionId: entry.transactionId }}
          search={{}}
          className="font-medium text-accent hover:underline"
        >
          {entryWord(entry.code)}
        </Link>
        <span className="block max-w-md text-xs text-muted">{entry.narration}</span>
        <Moment at={entry.createdAt} className="text-xs text-muted md:hidden" />
      </>
    ),
  },
  { key: 'when', header: 'When', wideOnly: true, cell: (entry) => <Moment at={entry.createdAt} /> },
  {
    key: 'reference',
    header: 'Reference',
    wideOnly: 'xl',
    cell: (entry) => <Reference reference={entry.reference} />,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (entry) => (
      <>
        <Amount value={entry.amount} direction={entry.type === 'CREDIT' ? 'in' : 'out'} />
        <span className="block text-xs text-muted md:hidden">
          <Amount value={entry.balanceAfter} />
        </span>
      </>
    ),
  },
  {
    key: 'balance',
    header: 'Balance after',
    align: 'right',
    wideOnly: true,
    cell: (entry) => <Amount value={entry.balanceAfter} />,
  },
];
