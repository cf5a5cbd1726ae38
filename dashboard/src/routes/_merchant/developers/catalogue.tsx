import { createFileRoute } from '@tanstack/react-router';
import { CataloguePage } from '../../../webhooks/catalogue-page.tsx';

export const Route = createFileRoute('/_merchant/developers/catalogue')({
  validateSearch: (raw: Record<string, unknown>): { type?: string } =>
    typeof raw['type'] === 'string' && /^[a-z][a-z_.]{0,59}$/.test(raw['type']) ? { type: raw['type'] } : {},
  component: () => <CataloguePage type={Route.useSearch().type} />,
});
