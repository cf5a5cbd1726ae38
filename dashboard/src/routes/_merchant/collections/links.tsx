import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { LinksPage } from '../../../collections/links-page.tsx';

export const Route = createFileRoute('/_merchant/collections/links')({
  validateSearch: listSearch(),
  component: Links,
});

function Links() {
  const navigate = Route.useNavigate();
  return (
    <LinksPage
      page={Route.useSearch().page}
      onPage={(page) => void navigate({ search: (before) => ({ ...before, page }), resetScroll: false })}
    />
  );
}
