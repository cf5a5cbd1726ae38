import { makeMerchant } from '../src/demo/make-merchant.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { SECRETS } from './service.ts';

/** Naira; more than all debits of all runs take. */
const STORE_AMOUNT = 1_000_000_000;
const PIN = '4826';
const AT_ONCE = 8;
/** The bank of the wallets plays no part in what is measured. */
const WALLET_BANK = { code: '999', name: 'Manilla Wallet' };

export interface Payer {
  merchantId: string;
  key: string;
  pin: string;
  storeIds: string[];
}

/** Approved merchants with keys and a PIN, made as the demo makes them, and stores with money, made through the API. */
export async function seedPayers(
  databaseUrl: string,
  baseUrl: string,
  wanted: { merchants: number; stores: number },
): Promise<Payer[]> {
  const database = openDatabase({
    connectionString: databaseUrl,
    maxConnections: AT_ONCE,
    logger: createLogger('error'),
  });
  const secrets = createSecrets(SECRETS.PIN_PEPPER, SECRETS.KEY_ENCRYPTION_KEY);
  try {
    return await mapAtOnce(wanted.merchants, async (at) => {
      const made = await makeMerchant(
        { database, secrets, clock: systemClock, walletBank: WALLET_BANK },
        {
          profile: { businessName: `Shop ${at}`, email: `shop${at}@bench.example`, phoneNumber: '2348012345678' },
          approved: true,
          pin: PIN,
        },
      );
      const storeIds: string[] = [];
      for (let store = 0; store < wanted.stores; store += 1)
        storeIds.push(await openStore(baseUrl, made.secretKey, store));
      return { merchantId: made.merchantId, key: made.secretKey, pin: PIN, storeIds };
    });
  } finally {
    await database.close();
  }
}

async function openStore(baseUrl: string, key: string, at: number): Promise<string> {
  const store = await post<{ storeId: string; walletId: string }>(baseUrl, key, '/branch/store', {
    name: `Store ${at}`,
  });
  await post(baseUrl, key, '/sandbox/wallet/fund', { walletId: store.walletId, amount: STORE_AMOUNT });
  return store.storeId;
}

/** @throws Error with the answer when it is no success. */
export function post<T>(baseUrl: string, key: string, path: string, body: object): Promise<T> {
  return send('POST', baseUrl, key, path, body);
}

/** As `post`. */
export function patch<T>(baseUrl: string, key: string, path: string, body: object): Promise<T> {
  return send('PATCH', baseUrl, key, path, body);
}

async function send<T>(method: string, baseUrl: string, key: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** Runs `work` for 0 to `count - 1`, a few at a time, and keeps the order. */
export async function mapAtOnce<T>(count: number, work: (at: number) => Promise<T>, atOnce = AT_ONCE): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const at = next;
      next += 1;
      results[at] = await work(at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
