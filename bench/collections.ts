import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollCredits } from '../src/collections/index.ts';
import { readConfig } from '../src/config.ts';
import { createContainer } from '../src/container.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { addRail } from '../src/rail-accounts/index.ts';
import { runChild, startChild } from './child.ts';
import { endedChildrenCpu, processCpu, serverCpu } from './cpu.ts';
import type { HttpResult } from './http-load.ts';
import { onServer } from './postgres.ts';
import { measureCpu, type Run } from './run.ts';
import type { Payer } from './seed.ts';
import { ROOT, SECRETS, startApi } from './service.ts';
import type { Home, Stage } from './stage.ts';

const RAIL = 'stand-in';
const SECRET_KEY = 'sk_test_benchbenchbench';
const ACCOUNT_NUMBER = '9930000737';
const START_TIMEOUT_MS = 30_000;
const CONNECTIONS = 64;
/** Rails that were added are known within this. */
const RAIL_KNOWN_MS = 2_500;
const SPARE_MS = 30_000;
const SETTLED_MS = 3_000;
/** No other load credits it. */
const COPIED_ID = 9_000_000_000;

/** A wallet with an account number at a stand-in of a provider, which runs until `stop`. */
export async function startProvider(databaseUrl: string, payer: Payer, listed = 0): Promise<{ stop(): Promise<void> }> {
  const child = await startChild(process.execPath, ['bench/provider-stand-in.ts', ACCOUNT_NUMBER, String(listed)], {
    cwd: ROOT,
    ready: /is up at (http:\S+)/,
    timeoutMs: START_TIMEOUT_MS,
  });
  const database = openDatabase({ connectionString: databaseUrl, maxConnections: 2, logger: createLogger('error') });
  try {
    const secrets = createSecrets(SECRETS.PIN_PEPPER, SECRETS.KEY_ENCRYPTION_KEY);
    await addRail(
      { database, secrets, clock: systemClock },
      {
        name: RAIL,
        provider: 'paystack',
        mode: 'SANDBOX',
        credentials: JSON.stringify({ secretKey: SECRET_KEY }),
        baseUrl: child.ready[1],
        openToMerchants: false,
        replace: false,
        check: false,
      },
    );
    await database.pool.query(
      `insert into receiving_numbers (rail, account_number, virtual_account_id, merchant_id, mode, wallet_id, opened_at)
       select $1, $2, gen_random_uuid(), merchant_id, mode, id, now() from wallets
        where owner_id = $3 and merchant_id = $3 and mode = 'SANDBOX'`,
      [RAIL, ACCOUNT_NUMBER, payer.merchantId],
    );
  } finally {
    await database.close();
  }
  await sleep(RAIL_KNOWN_MS);
  return { stop: child.stop };
}

/** Signed webhooks about credits of one merchant, each confirmed by a question to the stand-in, and all credited once. */
export async function runCredits(stage: Stage, home: Home, firstId: number, seconds: number): Promise<Run> {
  const counters = {
    serviceCpuUs: () => processCpu(home.service.pid),
    databaseCpuUs: () => serverCpu(stage.server.pid),
    generatorCpuUs: endedChildrenCpu,
  };
  const path = `/rail/sandbox/${RAIL}/webhook`;
  const args = [home.service.baseUrl, path, SECRET_KEY, String(CONNECTIONS), String(seconds), String(firstId)];
  const { result, cpu } = await measureCpu(
    counters,
    async () => {
      const output = await runChild(process.execPath, ['bench/credit-load.ts', ...args], {
        timeoutMs: seconds * 1_000 + SPARE_MS,
      });
      return JSON.parse(/^RESULT (.+)$/m.exec(output)?.[1] ?? '{}') as HttpResult;
    },
    ({ answered }) => answered,
  );
  const { answered, refused, broken } = result;
  const counted = await onServer(
    home.databaseUrl,
    `select count(*) as credited from inbound_payments where provider_transaction_id::bigint >= ${firstId}`,
  );
  const credited = Number((counted?.rows[0] as { credited: string } | undefined)?.credited);
  if (refused + broken > 0 || credited !== answered) {
    throw new Error(`of ${answered} webhooks ${refused} were refused, ${broken} lost, and ${credited} credited`);
  }
  return { rate: answered / result.seconds, p50Ms: result.p50Ms, p99Ms: result.p99Ms, ...cpu };
}

/**
 * One signed webhook, so many copies of it at once over so many processes of the service. Each has the provider account
 * open and is idle before. @throws Error unless every copy is answered 200 and there is one posting
 */
export async function runCopies(databaseUrl: string, copies: number, processes: number): Promise<Run> {
  const services = await Promise.all(
    Array.from({ length: processes }, () => startApi(databaseUrl, { DATABASE_POOL_SIZE: '4' })),
  );
  try {
    // Where several start at once, one may call itself overloaded at first.
    await sleep(SETTLED_MS);
    const id = COPIED_ID;
    const data = { id, reference: `bench-${id}`, amount: 10_000, status: 'success', currency: 'NGN', domain: 'test' };
    const body = JSON.stringify({ event: 'charge.success', data });
    const signature = createHmac('sha512', SECRET_KEY).update(body).digest('hex');
    const begun = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: copies }, async (_, at) => {
        const { baseUrl } = services[at % services.length] as (typeof services)[number];
        const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature };
        const answer = await fetch(`${baseUrl}/rail/sandbox/${RAIL}/webhook`, { method: 'POST', headers, body });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    const seconds = (performance.now() - begun) / 1_000;
    const refused = statuses.filter((status) => status !== 200).length;
    const counted = await onServer(
      databaseUrl,
      `select (select count(*) from inbound_payments where provider_transaction_id = '${id}')::int as payments,
              (select count(*) from transfers t join inbound_payments p on t.transaction_id = p.id
                where p.provider_transaction_id = '${id}' and t.code = 'COLLECTION')::int as postings`,
    );
    const found = counted?.rows[0] as { payments: number; postings: number } | undefined;
    if (refused > 0 || found?.payments !== 1 || found.postings !== 1) {
      throw new Error(
        `of ${copies} copies ${refused} were refused (${[...new Set(statuses)].join()}), and came to ${JSON.stringify(found)}`,
      );
    }
    return { rate: copies / seconds, seconds };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

/** Notes all but a few of what the provider lists as payments that are in the books. */
const FILL = `with owner as (select merchant_id, mode, wallet_id, virtual_account_id from receiving_numbers limit 1),
   noted as (
     insert into credit_directory (rail, provider_transaction_id, merchant_id, mode, payment_id, wallet_id, virtual_account_id,
                                   account_number, noted_at)
     select $1, at::text, o.merchant_id, o.mode, gen_random_uuid(), o.wallet_id, o.virtual_account_id, $2, now()
       from generate_series(1, $3) at cross join owner o where at % $4 <> 0
     returning *
   )
   insert into inbound_payments (merchant_id, mode, id, wallet_id, virtual_account_id, rail, provider_transaction_id,
     account_number, amount_minor, currency, status, receivable_id, confirmed_at, updated_at)
   select merchant_id, mode, payment_id, wallet_id, virtual_account_id, rail, provider_transaction_id, account_number, 10000,
          'NGN', 'CREDITED', gen_random_uuid(), now(), now()
     from noted`;

/** A window of so many credits is polled, of which a few are missing here. @throws Error unless just those were credited */
export async function runPoll(databaseUrl: string, listed: number, missing: number): Promise<Run> {
  const logger = createLogger('error');
  const config = readConfig({ DATABASE_URL: databaseUrl, ...SECRETS, DEMO_DATA: 'false' });
  const database = openDatabase({ connectionString: databaseUrl, maxConnections: config.databasePoolSize, logger });
  const secrets = createSecrets(SECRETS.PIN_PEPPER, SECRETS.KEY_ENCRYPTION_KEY);
  const container = createContainer({ config, database, secrets, clock: systemClock, logger });
  try {
    await database.pool.query(FILL, [RAIL, ACCOUNT_NUMBER, listed, Math.floor(listed / missing)]);
    await database.pool.query('analyze');
    const begun = performance.now();
    const credited = await pollCredits(container, 'SANDBOX');
    const seconds = (performance.now() - begun) / 1_000;
    if (credited !== missing) throw new Error(`${missing} credits were missing and ${credited} were taken`);
    return { rate: listed / seconds, seconds };
  } finally {
    await container.ledger.drain();
    await database.close();
  }
}
