import { createFileRoute } from '@tanstack/react-router';
import { ExplorerPage } from '../../../developers/explorer-page.tsx';

export const Route = createFileRoute('/_merchant/developers/explorer')({
  validateSearch: (raw: Record<string, unknown>): { operation?: string } =>
    typeof raw['operation'] === 'string' && /^\w{1,80}$/.test(raw['operation']) ? { operation: raw['operation'] } : {},
  component: () => <ExplorerPage operationId={Route.useSearch().operation} />,
});
