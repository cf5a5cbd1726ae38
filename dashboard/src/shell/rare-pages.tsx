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

/** Above every page of a suspended business: a form that is refused at its end would have been filled in for nothing. */
export function Suspended() {
  return (
    <Alert tone="bad" title="The account is suspended" className="mb-6">
      No money can be paid out or moved, and most pages show nothing. Please contact support.
    </Alert>
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
