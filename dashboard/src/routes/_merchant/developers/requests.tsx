import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { RequestsPage } from '../../../developers/requests-page.tsx';

export const Route = createFileRoute('/_merchant/developers/requests')({
  validateSearch: listSearch('status', 'keyId', 'from', 'to'),
  component: () => <RequestsPage search={Route.useSearch()} />,
});
