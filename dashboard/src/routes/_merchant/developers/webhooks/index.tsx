import { createFileRoute } from '@tanstack/react-router';
import { EndpointPage } from '../../../../webhooks/endpoint-page.tsx';

export const Route = createFileRoute('/_merchant/developers/webhooks/')({ component: EndpointPage });
