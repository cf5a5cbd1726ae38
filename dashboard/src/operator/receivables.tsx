import { Link } from '@tanstack/react-router';
import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { formatCount } from '../format/money.ts';
import { railsText } from './rails.ts';

type Shown = Data<'get', '/operator/overview/figures'>['receivables'];
type Provider = Shown['providers'][number];
type Merchant = Shown['merchants'][number];

const PROVIDERS: readonly Column<Provider>[] = [
  {
    key: 'rail',
    header: 'Provider account',
    cell: ({ rail, mode }) => <span className="font-medium">{railsText([rail], mode)}</span>,
  },
  {
    key: 'merchants',
    header: 'Merchants',
    align: 'right',
    cell: ({ merchants }) => <span className="figures">{formatCount(merchants)}</span>,
  },
  { key: 'owed', header: 'Owed', align: 'right', cell: ({ owed }) => <Amount value={owed} /> },
];

const MERCHANTS: readonly Column<Merchant>[] = [
  {
    key: 'merchant',
    header: 'For',
    cell: ({ merchantId, businessName, mode }) => (
      <>
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId }}
          search={{}}
          className="break-words text-accent underline"
        >
          {businessName ?? merchantId}
        </Link>
        <span className="text-xs text-muted">, {modeWord(mode)}</span>
      </>
    ),
  },
  { key: 'owed', header: 'Owed', align: 'right', cell: ({ owed }) => <Amount value={owed} /> },
];

/** What providers owe, by account and for whom it is most. */
export function Receivables({ receivables: { providers, merchants } }: { receivables: Shown }) {
  return (
    <Section
      title="Owed by providers"
      about="Confirmed and not settled yet, less refunds and disputes that are to be deducted; below, for whom it is most."
      actions={
        <ButtonLink to="/operator/money-in" search={{ show: 'owed' }} size="small">
          By age
        </ButtonLink>
      }
      bare
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Table
          caption="What each provider account owes"
          columns={PROVIDERS}
          rowKey={({ rail, mode }) => `${mode} ${rail}`}
          rows={providers}
          empty={<EmptyState title="No provider owes anything">What is confirmed and not settled is here.</EmptyState>}
        />
        {merchants.length > 0 && (
          <Table
            caption="For whom providers owe most"
            columns={MERCHANTS}
            rowKey={({ merchantId, mode }) => `${mode} ${merchantId}`}
            rows={merchants}
            empty={null}
          />
        )}
      </div>
    </Section>
  );
}
