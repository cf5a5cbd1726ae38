import { ArrowLeftRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { nowDate } from '../api/clock.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';
import { lagosDay } from '../format/time.ts';
import { TRANSACTION_COLUMNS, transactionKey } from '../transactions/transaction-columns.tsx';
import { type Figure, Figures } from '../wallet/wallet-figures.tsx';

const SHOWN = 8;

/** What moved today, by the clock in Lagos. */
export function TodaySection({ firstStep }: { firstStep: ReactNode }) {
  const today = lagosDay(nowDate());
  const maySum = useMay()('wallet:read', useMode());
  const transactions = useList('/transaction', { query: { from: today, size: SHOWN } });
  return (
    <Section
      title="Today"
      bare
      about="In all your wallets: main, stores and subaccounts. What moves between them counts neither as in nor as out."
      actions={
        <ButtonLink to="/transactions" search={{}} size="small">
          All transactions
        </ButtonLink>
      }
    >
      {maySum && <Sums today={today} />}
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

/** Of the whole day, however much moved: added up by the service. */
function Sums({ today }: { today: string }) {
  const { data, error, refetch } = useRead('/wallet/summary', { query: { from: today, to: today } });
  if (error !== null && data === undefined) {
    return (
      <div className="mb-4">
        <ErrorState error={error} onRetry={refetch} />
      </div>
    );
  }
  const yesterday = (value: number | null | undefined): ReactNode =>
    value === undefined ? (
      '\u00a0'
    ) : (
      <>
        Yesterday <Amount value={value} />.
      </>
    );
  // Fees, VAT and stamp duty; what came back with a returned payout is part of what came in.
  const cameBack =
    data === undefined || data.feesReturned === 0 ? (
      'Fees, VAT and duty.'
    ) : (
      <>
        Fees, VAT and duty; <Amount value={data.feesReturned} /> came back.
      </>
    );
  const figures: Figure[] = [
    {
      label: 'In today',
      value: data?.moneyIn,
      about: <>With what came back of payouts. {yesterday(data?.previous.moneyIn)}</>,
    },
    { label: 'Out today', value: data?.moneyOut, about: <>With charges. {yesterday(data?.previous.moneyOut)}</> },
    {
      label: 'Charges today',
      value: data?.fees,
      about: (
        <>
          {cameBack} {yesterday(data?.previous.fees)}
        </>
      ),
    },
    { label: 'Balance of all wallets', value: data?.closingBalance, about: yesterday(data?.previous.closingBalance) },
  ];
  return <Figures figures={figures} />;
}
