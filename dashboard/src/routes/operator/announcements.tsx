import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { AnnouncementsPage } from '../../operator/announcements-page.tsx';

export const Route = createFileRoute('/operator/announcements')({
  validateSearch: listSearch(),
  component: Announcements,
});

function Announcements() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AnnouncementsPage
      page={page}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
