import { ArrowLeftRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useList, useRead } from '../api/reads.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';
import { lagosDay } from '../format/time.ts';
import { TRANSACTION_COLUMNS, transactionKey } from '../transactions/transaction-columns.tsx';

const SHOWN = 8;

/** What moved today, by the clock in Lagos. */
export function TodaySection({ firstStep }: { firstStep: ReactNode }) {
  const today = lagosDay(new Date());
  const transactions = useList('/transaction', { query: { from: today, size: SHOWN } });
  return (
    <Section
      title="Today"
      bare
      about={<Sums today={today} />}
      actions={
        <ButtonLink to="/transactions" search={{}} size="small">
          All transactions
        </ButtonLink>
      }
    >
      <Table
        caption="Transactions of today"
        columns={TRANSACTION_COLUMNS}
        rowKey={transactionKey}
        list={transactions}
        empty={
          <EmptyState icon={ArrowLeftRight} title="Nothing has moved today" action={firstStep}>
            Payouts, sweeps of stores and credits of subaccounts show up here as they happen.
          </EmptyState>
        }
      />
    </Section>
  );
}

/** What came into the main wallet and what left it, as its statement has it: charges counted, holds not. */
function Sums({ today }: { today: string }) {
  const { data } = useRead('/wallet/merchant/statement', { query: { from: today, size: 1 } });
  if (data === undefined) return <SumsAwaited />;
  if (data.totalCredits === null || data.totalDebits === null)
    return 'More moved than is summed here: see the statement.';
  return (
    <>
      <Amount value={data.totalCredits} direction="in" /> into the main wallet,{' '}
      <Amount value={data.totalDebits} direction="out" /> out of it, charges included
    </>
  );
}

/** Takes the room of the sentence that comes, so that the table under it stays where it is. */
function SumsAwaited() {
  return (
    <span aria-hidden className="invisible">
      <Amount value={1e6} direction="in" /> into the main wallet, <Amount value={1e6} direction="out" /> out of it,
      charges included
    </span>
  );
}
