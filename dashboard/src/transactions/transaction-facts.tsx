import { Link } from '@tanstack/react-router';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { categoryWord, type Transaction } from './transaction-columns.tsx';

/** What it was: amounts, both ends, references and times. */
export function TransactionFacts({ transaction }: { transaction: Transaction }) {
  return (
    <div className="grid gap-x-6 lg:grid-cols-3">
      <div className="lg:col-span-2">
        <Section title="What it was">
          <DescriptionList items={factsOf(transaction)} />
        </Section>
      </div>
      <Section title="Amounts">
        <DescriptionList
          layout="rows"
          items={[
            { label: 'Amount', value: <Amount value={transaction.amount} /> },
            { label: 'Charges', value: <Amount value={transaction.charges} /> },
            { label: 'Total', value: <Amount value={transaction.totalAmount} className="font-semibold" /> },
          ]}
        />
      </Section>
    </div>
  );
}

function factsOf(transaction: Transaction) {
  const { batchReference, paidAt, scheduledFor } = transaction;
  return [
    { label: 'Kind', value: categoryWord(transaction.category) },
    {
      label: 'From',
      value: (
        <End
          name={transaction.originatorAccountName}
          account={transaction.originatorAccountNumber}
          bank={transaction.originatorBankName}
        />
      ),
    },
    {
      label: 'To',
      value: (
        <End
          name={transaction.beneficiaryAccountName}
          account={transaction.beneficiaryAccountNumber}
          bank={transaction.beneficiaryBankName}
        />
      ),
    },
    { label: 'Narration', value: transaction.narration },
    { label: 'Reference', value: <Id text={transaction.reference} what="reference" /> },
    { label: 'Transaction id', value: <Id text={transaction.transactionId} what="transaction id" /> },
    { label: 'Created', value: <Moment at={transaction.createdAt} utc /> },
    ...(typeof scheduledFor === 'string' ? [{ label: 'Scheduled for', value: <Moment at={scheduledFor} utc /> }] : []),
    ...(paidAt === null ? [] : [{ label: 'Paid', value: <Moment at={paidAt} utc /> }]),
    ...(batchReference === null
      ? []
      : [
          {
            label: 'Bulk payout',
            value: (
              <Link to="/transactions" search={{ batch: batchReference }} className="font-mono text-accent underline">
                {batchReference}
              </Link>
            ),
          },
        ]),
  ];
}

function End({ name, account, bank }: { name: string; account: string; bank: string }) {
  return (
    <>
      <span className="block">{name}</span>
      <span className="text-xs text-muted">
        <span className="figures font-mono">{account}</span> · {bank}
      </span>
    </>
  );
}

/** Long and seldom read: small, and to be copied. */
function Id({ text, what }: { text: string; what: string }) {
  return (
    <span className="text-xs">
      <Copyable text={text} what={what} />
    </span>
  );
}
