import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { DeliveriesPage } from '../../../../webhooks/deliveries-page.tsx';

export const Route = createFileRoute('/_merchant/developers/deliveries/')({
  validateSearch: listSearch('status', 'type'),
  component: () => <DeliveriesPage search={Route.useSearch()} />,
});
