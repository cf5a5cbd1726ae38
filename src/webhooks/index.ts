export type { FailingEndpointRow } from './delivery-queries.ts';
export { documentWebhooks, WEBHOOK_EVENTS } from './document-webhooks.ts';
export { checkWebhookAddress, type NewAddress, webhookAddressWrites } from './endpoint.ts';
export { endpointStates, WEBHOOK_ENDPOINTS } from './queries.ts';
export { countFailing, readFailingEndpoints } from './read-deliveries.ts';
export { forgetDeliveries } from './record-calls.ts';
export { webhookRoutes } from './routes.ts';
export { createWebhookWorker, type WebhookWorker, type WebhookWorkerOptions, webhookAdvanceWrites } from './worker.ts';
