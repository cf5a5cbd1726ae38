import type { SessionDeps } from '../payment-sessions/index.ts';
import type { RequestLimits } from '../platform/http/request-limits.ts';

export interface CheckoutDeps extends SessionDeps {
  limits: RequestLimits;
  /** The address under which people reach the service, where one is set. */
  publicUrl: string | undefined;
}
