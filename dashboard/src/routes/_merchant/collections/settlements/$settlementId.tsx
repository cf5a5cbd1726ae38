import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { SettlementPage } from '../../../../settlements/settlement-page.tsx';

export const Route = createFileRoute('/_merchant/collections/settlements/$settlementId')({
  validateSearch: listSearch(),
  component: Settlement,
});

function Settlement() {
  const { settlementId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <SettlementPage
      key={settlementId}
      settlementId={settlementId}
      page={Route.useSearch().page}
      onPage={(page) => void navigate({ search: (before) => ({ ...before, page }), resetScroll: false })}
    />
  );
}
