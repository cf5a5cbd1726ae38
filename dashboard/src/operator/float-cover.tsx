import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { railsText } from './rails.ts';

type Cover = Data<'get', '/operator/overview/figures'>['floatCover'][number];

const NOT_KNOWN = <span className="text-muted">Not known</span>;

const COLUMNS: readonly Column<Cover>[] = [
  {
    key: 'rails',
    header: 'Float at',
    cell: ({ rails, mode }) => <span className="font-medium break-words">{railsText(rails, mode)}</span>,
  },
  {
    key: 'days',
    header: 'Lasts',
    align: 'right',
    cell: ({ days, averageDay, balance }) =>
      days === null ? (
        averageDay === 0 && balance !== null ? (
          <span className="text-muted">Nothing was paid</span>
        ) : (
          NOT_KNOWN
        )
      ) : (
        <span className="figures">{days === 1 ? '1 day' : `${days} days`}</span>
      ),
  },
  {
    key: 'balance',
    header: 'Balance',
    align: 'right',
    cell: ({ balance, balanceAt }) =>
      balance === null ? (
        NOT_KNOWN
      ) : (
        <>
          <Amount value={balance} />
          <Moment at={balanceAt} className="block text-xs text-muted" />
        </>
      ),
  },
  {
    key: 'average',
    header: 'Paid on an average day',
    align: 'right',
    wideOnly: true,
    cell: ({ averageDay }) => (averageDay === null ? NOT_KNOWN : <Amount value={averageDay} />),
  },
];

/** How many days the float at each provider lasts. */
export function FloatCover({ covers }: { covers: readonly Cover[] }) {
  return (
    <Section
      title="Float"
      about="The balance that the rails gave at the last comparison, by what they paid on an average of the last seven days from Monday to Friday."
      actions={
        <ButtonLink to="/operator/float" size="small">
          Compare
        </ButtonLink>
      }
      bare
    >
      <Table
        caption="How many days each float lasts"
        columns={COLUMNS}
        rowKey={({ rails, mode }) => `${mode} ${rails.join(' ')}`}
        rows={covers}
        empty={<EmptyState title="No rail is in use">Add one to pay out by it.</EmptyState>}
      />
    </Section>
  );
}
