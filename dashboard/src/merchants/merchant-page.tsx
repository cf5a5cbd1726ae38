import { useNeeded } from '../api/reads.ts';
import { PageHeader } from '../components/page-header.tsx';
import { Tabs } from '../components/tabs.tsx';
import { DecisionButtons } from './decision-buttons.tsx';
import { HistorySection } from './history-section.tsx';
import type { Merchant } from './merchant.ts';
import { MoneySection } from './money-section.tsx';
import { NextToReview } from './next-to-review.tsx';
import { PeopleSection } from './people-section.tsx';
import { ReviewSection } from './review-section.tsx';
import { ServicesSection } from './services-section.tsx';
import { Standing } from './standing.tsx';

const TABS = {
  review: 'Review',
  services: 'Services',
  money: 'Money and limits',
  people: 'People and keys',
  history: 'History',
} as const;
export type MerchantTab = keyof typeof TABS;

export const isMerchantTab = (text: string | undefined): text is MerchantTab => text !== undefined && text in TABS;

/** One merchant: what it says of itself, what it may do, and what was decided about it. */
export function MerchantPage({ merchantId, tab }: { merchantId: string; tab: MerchantTab }) {
  const { data: merchant } = useNeeded('/operator/merchant/{merchantId}', { path: { merchantId } });
  const tabs = (Object.keys(TABS) as MerchantTab[]).map((name) => ({
    label: TABS[name],
    to: '/operator/merchants/$merchantId' as const,
    params: { merchantId },
    search: name === 'review' ? {} : { tab: name },
  }));
  return (
    <>
      <PageHeader
        title={merchant.businessName}
        back={{ label: 'All merchants', to: '/operator/merchants' }}
        beside={<Standing merchant={merchant} />}
        actions={
          <>
            <NextToReview merchantId={merchantId} />
            <DecisionButtons merchant={merchant} />
          </>
        }
      />
      <div className="mb-6">
        <Tabs label="About this merchant" tabs={tabs} />
      </div>
      <Part tab={tab} merchant={merchant} />
    </>
  );
}

function Part({ tab, merchant }: { tab: MerchantTab; merchant: Merchant }) {
  switch (tab) {
    case 'services':
      return <ServicesSection merchant={merchant} />;
    case 'money':
      return <MoneySection merchant={merchant} />;
    case 'people':
      return <PeopleSection merchant={merchant} />;
    case 'history':
      return <HistorySection merchant={merchant} />;
    default:
      return <ReviewSection merchant={merchant} />;
  }
}
