import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { FailingWebhooksPage } from '../../operator/failing-webhooks-page.tsx';

export const Route = createFileRoute('/operator/webhooks')({
  validateSearch: listSearch(),
  component: FailingWebhooks,
});

function FailingWebhooks() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <FailingWebhooksPage
      page={page}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
