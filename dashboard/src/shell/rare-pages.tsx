import { Compass } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { leaveSupportView } from '../components/support-view-pages.ts';
import { ROLE_NAMES } from '../people/roles.ts';

/** Of a page that was left open, or loaded again afterwards. */
export function SupportViewEnded() {
  return (
    <Alert
      tone="warn"
      title="This support view has ended."
      action={
        <Button size="small" onClick={leaveSupportView}>
          Back to the desk
        </Button>
      }
    >
      Open another from the page of the merchant, with a reason.
    </Alert>
  );
}

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={Compass}
        title="There is nothing at this address"
        action={<ButtonLink to="/">Go home</ButtonLink>}
      >
        It may have been mistyped, or the page may have been removed.
      </EmptyState>
    </>
  );
}

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
