import { answerCommand, createAuthenticator, createPinGuard, guardRoutes } from '../src/access/index.ts';
import { createLedger, type Ledger } from '../src/ledger/index.ts';
import { parseAmount } from '../src/money/index.ts';
import { createSessionGate } from '../src/people/index.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { createRequestLimits } from '../src/platform/http/request-limits.ts';
import { createServer } from '../src/platform/http/server.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { debitStore } from '../src/stores/debit-store.ts';
import { createStoreDirectory } from '../src/stores/index.ts';
import { DebitStoreBody } from '../src/stores/schemas.ts';
import { createSupportViews } from '../src/support-views/index.ts';
import { createWalletDirectory } from '../src/wallets/index.ts';
import { commitUnderRowLocks } from './row-lock.ts';

/**
 * The store debit as it is commonly built: a row lock a request. All else is the service's own: server, validation,
 * authentication, PIN, the movement and its rows, the durable commit. DATABASE_URL, POOL_SIZE and the secrets come from
 * the environment; the port is any free one.
 */
const { DATABASE_URL = '', POOL_SIZE = '10', PIN_PEPPER = '', KEY_ENCRYPTION_KEY = '' } = process.env;
const logger = createLogger('warn');
const open = (maxConnections: number) => openDatabase({ connectionString: DATABASE_URL, maxConnections, logger });
// Keys and PINs are read beside the money, so that no debit waits for them.
const database = open(3);
const money = open(Number(POOL_SIZE));
const clock = systemClock;
const secrets = createSecrets(PIN_PEPPER, KEY_ENCRYPTION_KEY);
const lookUps = createLedger({ database, logger, clock, committers: 1 });
const ledger: Ledger = { ...lookUps, commit: (movement) => commitUnderRowLocks(money, lookUps, movement) };
const wallets = createWalletDirectory(database);
const stores = createStoreDirectory(database, wallets);

const server = await createServer({ logger, trustedProxies: [] });
await server.register(async (api) => {
  guardRoutes(api, {
    authenticator: createAuthenticator({ database, secrets, clock, logger }),
    pinGuard: createPinGuard({ database, secrets, clock }),
    sessions: createSessionGate({ database, secrets, clock, logger }),
    supportViews: createSupportViews({ database, clock }),
    limits: createRequestLimits({ perKey: 0, perAddress: 0, clock, logger }),
    database,
    ledger,
    clock,
    logger,
    publicUrl: undefined,
  });
  api.post<{ Body: { amount: number; storeId: string; narration: string } }>(
    '/branch/store/debit',
    { config: { access: { scope: 'store:write', service: 'BRANCH', pin: true } }, schema: { body: DebitStoreBody } },
    (request, reply) =>
      answerCommand(ledger, request, reply, async () =>
        debitStore(
          { ledger, wallets, stores, clock },
          {
            tenant: request.principal.tenant,
            storeId: request.body.storeId,
            amountMinor: parseAmount(request.body.amount),
            narration: request.body.narration,
            idempotency: request.idempotency,
          },
        ),
      ),
  );
});
console.log(`The row-lock server is up at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
process.on('SIGTERM', () => {
  void server.close().then(() => process.exit(0));
});
