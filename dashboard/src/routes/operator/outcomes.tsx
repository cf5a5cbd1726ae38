import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { OutcomesPage } from '../../outcomes/outcomes-page.tsx';

export const Route = createFileRoute('/operator/outcomes')({ validateSearch: listSearch('show'), component: Outcomes });

function Outcomes() {
  const { page, show } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <OutcomesPage
      page={page}
      shown={show === 'all' || show === 'proposed' ? show : 'operator'}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
      onShow={(shown) =>
        void navigate({
          search: (before) => ({ ...before, page: undefined, show: shown === 'operator' ? undefined : shown }),
        })
      }
    />
  );
}
