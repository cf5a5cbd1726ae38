import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { RequestPage } from '../../../../developers/request-page.tsx';
import { REQUEST_FILTERS } from '../../../../developers/requests-search.ts';

export const Route = createFileRoute('/_merchant/developers/requests/$requestId')({
  validateSearch: listSearch(...REQUEST_FILTERS),
  component: () => (
    <RequestPage key={Route.useParams().requestId} id={Route.useParams().requestId} search={Route.useSearch()} />
  ),
});
