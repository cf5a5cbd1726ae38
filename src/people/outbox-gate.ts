import { hasLiveMerchant } from '../merchants/index.ts';
import { cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { isLoopbackAddress } from '../platform/http/allowed-hosts.ts';
import type { Logger } from '../platform/logger.ts';

/** Whether a person at this machine who is not signed in may read the local outbox. */
export interface OutboxGate {
  isOpen(): Promise<boolean>;
  /** Whether a mail server delivers the mails: then nobody reads their texts here. */
  readonly hasMailServer: boolean;
}

export interface OutboxGateDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  demoData: boolean;
  hasMailServer: boolean;
  /** The address that the service listens on. */
  host: string;
  publicUrl: string | undefined;
}

/** How long after a merchant went live the outbox may still be open. */
const MAX_AGE_MS = 1_000;

/**
 * Links in mails sign people in. A person who is not signed in may read them only in a pure sandbox: demo data, no mail
 * server, no address but this machine's own, and no approved merchant.
 */
export function createOutboxGate(deps: OutboxGateDeps): OutboxGate {
  const { database, clock, logger, hasMailServer } = deps;
  const hasLive = cacheOne(clock, MAX_AGE_MS, () => hasLiveMerchant(database));
  const why = whyClosed(deps);
  if (why !== undefined && !hasMailServer) logger.warn({ why }, CLOSED);
  let isNotifiedOfLive = false;
  return {
    hasMailServer,
    async isOpen() {
      if (why !== undefined) return false;
      if (!(await hasLive())) return true;
      if (!isNotifiedOfLive) logger.warn({ why: 'a merchant was approved' }, CLOSED);
      isNotifiedOfLive = true;
      return false;
    },
  };
}

const CLOSED =
  'NO MAIL SERVER: no mail leaves this installation. They stay in the local outbox, links to sign in among them, and only ' +
  'the operator’s staff can read it. Set SMTP_URL; never keep demo data where others can reach it';

function whyClosed({ demoData, hasMailServer, host, publicUrl }: OutboxGateDeps): string | undefined {
  if (hasMailServer) return 'a mail server delivers the mails';
  if (!demoData) return 'there is no demo data';
  if (publicUrl !== undefined) return 'PUBLIC_URL is set';
  return host === 'localhost' || isLoopbackAddress(host) ? undefined : 'HOST is not an address of this machine alone';
}
