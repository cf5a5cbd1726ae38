import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { RequestsPage } from '../../../../developers/requests-page.tsx';
import { REQUEST_FILTERS } from '../../../../developers/requests-search.ts';

export const Route = createFileRoute('/_merchant/developers/requests/')({
  validateSearch: listSearch(...REQUEST_FILTERS, 'period'),
  component: () => <RequestsPage search={Route.useSearch()} />,
});
