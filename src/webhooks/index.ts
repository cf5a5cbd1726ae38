export { webhookAdvanceWrites } from './advance-writes.ts';
export { createWebhookWorker, type WebhookWorker, type WebhookWorkerOptions } from './deliveries/worker.ts';
export { documentWebhooks, type EventDescription, WEBHOOK_EVENTS } from './document-webhooks.ts';
export { endpointStates } from './endpoint-state.ts';
export type { FailingEndpointRow } from './failing/queries.ts';
export { countFailing, readFailingEndpoints } from './failing/read-failing.ts';
export { type WebhookRoutesDeps, webhookRoutes } from './routes.ts';
export { checkWebhookAddress, type NewAddress, webhookAddressWrites } from './set-address.ts';
