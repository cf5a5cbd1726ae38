import { Compass } from 'lucide-react';
import { ButtonLink } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="There is no such page" />
      <EmptyState icon={Compass} title="The address leads nowhere" action={<ButtonLink to="/">Go home</ButtonLink>}>
        It may have been mistyped, or what stood here may be gone.
      </EmptyState>
    </>
  );
}
