import { randomBytes } from 'node:crypto';
import { type Authenticator, createAuthenticator, type Principal } from '../../src/access/index.ts';
import { approveMerchant, createMerchant, enableService } from '../../src/merchants/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import { createTestDatabase } from '../support/database.ts';
import { provenOnOneConnection } from '../support/proof.ts';

export const silent = createLogger('silent');
export const ADDRESS = '203.0.113.7';

export interface AccessDatabase {
  url: string;
  database: Database;
  /** A second pool, as another process has one. */
  connect(): Database;
  drop(): Promise<void>;
}

/** A migrated database of its own for one test file. */
export async function createAccessDatabase(): Promise<AccessDatabase> {
  const { connectionString: url, drop } = await createTestDatabase();
  const opened: Database[] = [];
  const connect = () => {
    const database = open(url);
    opened.push(database);
    return database;
  };
  return {
    url,
    database: connect(),
    connect,
    async drop() {
      await Promise.all(opened.map((pool) => pool.close()));
      await drop();
    },
  };
}

function open(connectionString: string): Database {
  const how = { connectionString, maxConnections: 6, logger: silent };
  return provenOnOneConnection(openDatabase(how), how);
}

export function testSecrets(): Secrets {
  return createSecrets(randomBytes(32).toString('base64'), randomBytes(32).toString('base64'));
}

/** An approved merchant with the PAYOUT service. */
export async function approvedMerchant(
  database: Database,
  secrets: Secrets,
  businessName = 'Ada Foods',
): Promise<string> {
  const deps = { queries: database, secrets, clock: systemClock };
  const { merchantId } = await createMerchant(deps, {
    businessName,
    email: 'hello@adafoods.example',
    phoneNumber: '2348012345678',
    bvn: '22212345901',
  });
  await approveMerchant(deps, { merchantId, actor: 'test' });
  await enableService(deps, { merchantId, service: 'PAYOUT' });
  return merchantId;
}

export async function principalOf(authenticator: Authenticator, bearer: string): Promise<Principal> {
  return authenticator.authenticate(`Bearer ${bearer}`, ADDRESS);
}

/** The code of the refusal, or `ok`. */
export async function outcome(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'ok';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

export function authenticatorOn(database: Database, secrets: Secrets): Authenticator {
  return createAuthenticator({ database, secrets, clock: systemClock, logger: silent });
}
