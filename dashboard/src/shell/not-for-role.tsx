import { useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { ROLE_NAMES } from '../people/roles.ts';

/** In place of a page that somebody came to by its address alone: nothing is asked of the service that it would refuse. */
export function NotForRole({ title }: { title: string }) {
  const { role } = useSession().person;
  return (
    <>
      <PageHeader title={title} />
      <Alert tone="info">
        {role === null ? 'A support view' : `Your role (${ROLE_NAMES[role].toLowerCase()})`} does not show this page.
        The business’s owners and administrators change roles.
      </Alert>
    </>
  );
}
