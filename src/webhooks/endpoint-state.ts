import { stateMachine } from '../ledger/index.ts';

export type EndpointStatus = 'ENABLED' | 'DISABLED';

/** The receiver disables it with 410, the merchant enables it again. Setting an address makes a new endpoint. */
export const endpointStates = stateMachine<EndpointStatus>('webhook-endpoint', 'webhook_endpoints', {
  ENABLED: ['DISABLED'],
  DISABLED: ['ENABLED'],
});

/** Why an endpoint is disabled; stored as the state's reason. */
export const RECEIVER_GONE = 'RECEIVER_GONE';
