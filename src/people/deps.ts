import type { SupportViews } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries, Tx } from '../platform/db/database.ts';
import type { RequestLimits } from '../platform/http/request-limits.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { OutboxGate } from './outbox-gate.ts';
import type { SessionGate } from './session-gate.ts';

/** What a business says of itself when it signs up. */
export interface NewBusiness {
  businessName: string;
  email: string;
  /** Digits with the country prefix. */
  phoneNumber: string;
  owner: { firstName: string; lastName: string; email: string; phoneNumber: string };
}

export interface PeopleDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  sessions: SessionGate;
  /** Creates the merchant, its wallets and its services, which belong to modules above. @throws AppError 400. */
  openMerchant(tx: Tx, business: NewBusiness): Promise<{ merchantId: string }>;
  /**
   * How many people who can decide a merchant's approval rules need, which belong to a module above; 0: they are off.
   */
  approversNeeded(queries: Queries, merchantId: string): Promise<number>;
}

export interface PeopleRoutesDeps extends PeopleDeps {
  limits: RequestLimits;
  supportViews: SupportViews;
  /** The address under which people reach the service, where one is set. */
  publicUrl: string | undefined;
  outbox: OutboxGate;
}
