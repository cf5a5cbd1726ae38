export { webhookAdvanceWrites } from './advance-writes.ts';
export type { FailingEndpointRow } from './delivery-queries.ts';
export { documentWebhooks, type EventDescription, WEBHOOK_EVENTS } from './document-webhooks.ts';
export { checkWebhookAddress, type NewAddress, webhookAddressWrites } from './enable-endpoint.ts';
export { endpointStates } from './endpoint-state.ts';
export { countFailing, readFailingEndpoints } from './read-deliveries.ts';
export { type WebhookRoutesDeps, webhookRoutes } from './routes.ts';
export { createWebhookWorker, type WebhookWorker, type WebhookWorkerOptions } from './worker.ts';
