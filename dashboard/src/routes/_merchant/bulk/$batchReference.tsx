import { createFileRoute } from '@tanstack/react-router';
import { BatchPage } from '../../../bulk/batch-page.tsx';
import { readShown } from '../../../bulk/items-shown.ts';

export const Route = createFileRoute('/_merchant/bulk/$batchReference')({
  validateSearch: readShown,
  component: BatchRoute,
});

function BatchRoute() {
  const { batchReference } = Route.useParams();
  return <BatchPage key={batchReference} batchReference={batchReference} shown={Route.useSearch()} />;
}
