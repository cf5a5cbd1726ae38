import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { isMerchantTab, MerchantPage } from '../../../merchants/merchant-page.tsx';

export const Route = createFileRoute('/operator/merchants/$merchantId')({
  validateSearch: listSearch('tab'),
  component: Merchant,
});

function Merchant() {
  const { tab } = Route.useSearch();
  const { merchantId } = Route.useParams();
  return <MerchantPage key={merchantId} merchantId={merchantId} tab={isMerchantTab(tab) ? tab : 'review'} />;
}
