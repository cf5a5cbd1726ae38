import { createFileRoute } from '@tanstack/react-router';
import type { ItemsShown } from '../../../bulk/batch-items.tsx';
import { BatchPage } from '../../../bulk/batch-page.tsx';

export const Route = createFileRoute('/_merchant/bulk/$batchReference')({
  validateSearch: ({ show }: Record<string, unknown>): { show?: ItemsShown } =>
    show === 'invalid' || show === 'warnings' || show === 'repeats' ? { show } : {},
  component: BatchRoute,
});

function BatchRoute() {
  const { batchReference } = Route.useParams();
  const { show } = Route.useSearch();
  return <BatchPage key={batchReference} batchReference={batchReference} shown={show} />;
}
