import { Tabs } from '../components/tabs.tsx';

const TABS = [
  { label: 'Payments', to: '/collections' },
  { label: 'Refunds', to: '/collections/refunds' },
  { label: 'Disputes', to: '/collections/disputes' },
  { label: 'Sessions', to: '/collections/sessions' },
  { label: 'Links', to: '/collections/links' },
  { label: 'Accounts', to: '/collections/accounts' },
  { label: 'Customers', to: '/collections/customers' },
  { label: 'Settlements', to: '/collections/settlements' },
  { label: 'Reserve', to: '/collections/reserve' },
] as const;

/** The pages of money in: what came, what was asked for, to which numbers, and who pays. */
export function CollectionTabs() {
  return (
    <div className="mb-4">
      <Tabs label="Money in" tabs={TABS} />
    </div>
  );
}
