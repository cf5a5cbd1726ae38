import { Send } from 'lucide-react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { USUAL_PAYOUT_COLUMNS } from './payout-columns.tsx';

interface BeneficiaryPageProps {
  beneficiaryId: string;
  page: ListPlace | undefined;
  onPage: (page: ListPlace | undefined) => void;
}

/** One saved account: what was paid to it, and every payout that went there. */
export function BeneficiaryPage({ beneficiaryId, page, onPage }: BeneficiaryPageProps) {
  const mayPay = useMay()('payout:write', useMode());
  const path = { beneficiaryId };
  const beneficiary = useRead('/beneficiary/{beneficiaryId}', { path });
  const payouts = useList('/beneficiary/{beneficiaryId}/payout', { path, query: { ...atPlace(page), size: 25 } });
  if (beneficiary.data === undefined) {
    if (beneficiary.error === null) return <PageSkeleton />;
    return <ErrorState error={beneficiary.error} onRetry={beneficiary.refetch} />;
  }
  const { nickname, accountName, status, bankCode, accountNumber } = beneficiary.data;
  return (
    <>
      <PageHeader
        title={nickname ?? accountName}
        beside={<Status status={status} />}
        back={{ to: '/beneficiaries', label: 'All beneficiaries' }}
        actions={
          mayPay && (
            <ButtonLink to="/payouts/new" search={{ bankCode, accountNumber }} look="primary" icon={Send}>
              Pay
            </ButtonLink>
          )
        }
      >
        {nickname === null ? undefined : accountName}
      </PageHeader>
      <Paid beneficiary={beneficiary.data} />
      <Section
        bare
        title="Payouts to this account"
        about="However they were made: one by one, scheduled or with a list, before and after it was saved."
      >
        <Table
          caption="Payouts to this account"
          columns={USUAL_PAYOUT_COLUMNS}
          rowKey={({ transactionId }) => transactionId}
          list={payouts}
          onPage={onPage}
          empty={<EmptyState title="Nothing was paid to this account yet">Payouts to it appear here.</EmptyState>}
        />
      </Section>
    </>
  );
}

type Beneficiary = Data<'get', '/beneficiary/{beneficiaryId}'>;

function Paid({ beneficiary }: { beneficiary: Beneficiary }) {
  const { paidPayouts, totalPaid, totalIsExact, lastPaidAt, accountNumber, bankName, createdAt } = beneficiary;
  return (
    <Section
      title="Paid to this account"
      about={
        totalIsExact
          ? 'What was paid and did not come back.'
          : 'What was paid and did not come back, of the newest 10,000 payouts to it; there are more.'
      }
    >
      <DescriptionList
        items={[
          { label: 'Total paid', value: <Amount value={totalPaid} className="text-xl font-semibold" /> },
          { label: 'Payouts', value: formatCount(paidPayouts), figure: true },
          { label: 'Last paid', value: <Moment at={lastPaidAt} /> },
          { label: 'Account', value: <Copyable text={accountNumber} what="account number" /> },
          { label: 'Bank', value: bankName },
          { label: 'Saved', value: <Moment at={createdAt} show="day" /> },
        ]}
      />
    </Section>
  );
}
