import { Link } from '@tanstack/react-router';
import { ChevronRight, Eye } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useNeeded, useRead } from '../api/reads.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Switch } from '../components/choices.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/states.tsx';
import { Tabs } from '../components/tabs.tsx';
import { toast } from '../components/toast.tsx';
import { formatCount } from '../format/money.ts';
import { DecisionButtons } from './decisions.tsx';
import { type Merchant, MerchantState } from './merchant.tsx';
import { MoneySection } from './money-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { ReviewSection } from './review-section.tsx';

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
  const [isLooking, setLooking] = useState(false);
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
        beside={<MerchantState merchant={merchant} />}
        actions={
          <>
            <NextToReview merchantId={merchantId} />
            <Button icon={Eye} onClick={() => setLooking(true)}>
              Support view
            </Button>
            <DecisionButtons merchant={merchant} />
          </>
        }
      >
        <ListsOf merchantId={merchantId} />
      </PageHeader>
      <div className="mb-6">
        <Tabs label="About this merchant" tabs={tabs} />
      </div>
      <Part tab={tab} merchant={merchant} />
      {isLooking && (
        <Suspense fallback={null}>
          <OpenSupportView merchant={merchant} onClose={() => setLooking(false)} />
        </Suspense>
      )}
    </>
  );
}

const LISTS = [
  { label: 'Payouts', to: '/operator/payouts' },
  { label: 'Payments in', to: '/operator/payments-in' },
  { label: 'Refunds', to: '/operator/refunds' },
  { label: 'Money in that waits', to: '/operator/money-in' },
  { label: 'Held for review', to: '/operator/cases' },
  { label: 'Audit log', to: '/operator/audit' },
] as const;

/** What is of this merchant in the lists of all. */
function ListsOf({ merchantId }: { merchantId: string }) {
  return (
    <nav aria-label="Lists of this merchant" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {LISTS.map(({ label, to }) => (
        <Link key={to} to={to} search={{ merchantId }} className="text-accent underline">
          {label}
        </Link>
      ))}
    </nav>
  );
}

const history = () => import('./history-section.tsx');
const DecisionHistory = lazy(() => history().then((part) => ({ default: part.DecisionHistory })));
const SupportViewsSection = lazy(() => history().then((part) => ({ default: part.SupportViewsSection })));
const OpenSupportView = lazy(() =>
  import('./open-support-view.tsx').then((part) => ({ default: part.OpenSupportView })),
);

function Part({ tab, merchant }: { tab: MerchantTab; merchant: Merchant }) {
  switch (tab) {
    case 'services':
      return <ServicesSection merchant={merchant} />;
    case 'money':
      return <MoneySection merchant={merchant} />;
    case 'people':
      return <PeopleSection merchant={merchant} />;
    case 'history':
      return (
        <Suspense fallback={<PageSkeleton />}>
          <DecisionHistory merchant={merchant} />
          <SupportViewsSection merchantId={merchant.merchantId} />
        </Suspense>
      );
    default:
      return <ReviewSection merchant={merchant} />;
  }
}

/** What a merchant may use. A switch takes effect at once. */
function ServicesSection({ merchant: { merchantId, services, isRefundEnabled } }: { merchant: Merchant }) {
  const refunds = useAction('post', '/operator/merchant/{merchantId}/refunds', { changes: ['/operator'] });
  const change = useAction('post', '/operator/merchant/{merchantId}/service', { changes: ['/operator'] });
  const [problem, setProblem] = useState<string>();

  async function set(service: Merchant['services'][number], enabled: boolean): Promise<void> {
    setProblem(undefined);
    try {
      await change.run({ path: { merchantId }, body: { key: service.key, enabled } });
      toast({ tone: 'good', text: `${service.name} is ${enabled ? 'on' : 'off'} within two seconds.` });
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  async function setRefunds(enabled: boolean): Promise<void> {
    setProblem(undefined);
    try {
      await refunds.run({ path: { merchantId }, body: { enabled } });
      toast({ tone: 'good', text: `Refunds are ${enabled ? 'on' : 'off'}.` });
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <Section
      title="Services"
      about="When a service is switched off, work under way continues and new requests are refused."
    >
      {problem !== undefined && (
        <Alert tone="bad" className="mb-4">
          {problem}
        </Alert>
      )}
      <div className="flex flex-col divide-y">
        {services.map((service) => (
          <Switch
            key={service.key}
            className="py-3 first:pt-0 last:pb-0"
            label={service.name}
            hint={service.description}
            checked={service.enabled}
            disabled={change.isPending}
            onChange={(event) => void set(service, event.target.checked)}
          />
        ))}
        <Switch
          className="py-3 last:pb-0"
          label="Refunds"
          hint="The merchant may send payments in back to their payers."
          checked={isRefundEnabled}
          disabled={refunds.isPending}
          onChange={(event) => void setRefunds(event.target.checked)}
        />
      </div>
    </Section>
  );
}

/** From one merchant that waits for review to the next, longest waiting first. */
function NextToReview({ merchantId }: { merchantId: string }) {
  const { data } = useRead('/operator/merchant', { query: { review: 'SUBMITTED', page: 1, size: 2 } });
  const next = data?.records.find((one) => one.merchantId !== merchantId);
  if (data === undefined || next === undefined) return null;
  const isWaiting = data.records.some((one) => one.merchantId === merchantId);
  const others = (data.totalRecords ?? 0) - (isWaiting ? 1 : 0);
  return (
    <ButtonLink
      to="/operator/merchants/$merchantId"
      params={{ merchantId: next.merchantId }}
      look="quiet"
      icon={ChevronRight}
      aria-label={`Next to review (${formatCount(others)}): ${next.businessName}`}
    >
      Next to review ({formatCount(others)})
    </ButtonLink>
  );
}
