import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { slowHash } from '../src/access/index.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import type { Run } from './run.ts';
import { mapAtOnce, type Payer, post } from './seed.ts';
import { SECRETS } from './service.ts';

/** First debits of other merchants under way at once. */
const AT_ONCE = 32;
/** Until every process has seen that a PIN has another version. */
const SEEN_AFTER_MS = 2_500;

/** Nobody's PIN is known to the service any more, as if each had been set anew. */
export async function forgetProofs(databaseUrl: string): Promise<void> {
  await onDatabase(databaseUrl, (client) => client.query('update pins set version = version + 1'));
  await sleep(SEEN_AFTER_MS);
}

/** Every second another tenth of the PINs is set anew, as happens to each of them now and then. */
const TENTH_EVERY_MS = 1_000;

/** Beside the work proofs of PINs lose their worth. */
export async function whileProofsExpire<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  let tenth = 0;
  let expiring: Promise<unknown> = Promise.resolve();
  return onDatabase(databaseUrl, async (client) => {
    const timer = setInterval(() => {
      const text = 'update pins set version = version + 1 where abs(hashtext(merchant_id::text)) % 10 = $1';
      expiring = expiring.then(() => client.query(text, [tenth % 10]));
      tenth += 1;
    }, TENTH_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await expiring;
    }
  });
}

/** A PIN as the release before PINs were keyed hashes stored it. */
export interface OldPin {
  merchantId: string;
  hash: string;
  slow: string;
}

/** Of each of these merchants; 20 to 40 ms of a core each. */
export async function makeOldPins(payers: readonly Payer[]): Promise<OldPin[]> {
  const secrets = createSecrets(SECRETS.PIN_PEPPER, SECRETS.KEY_ENCRYPTION_KEY);
  return mapAtOnce(payers.length, async (at) => {
    const { merchantId, pin } = payers[at] as Payer;
    const made = await slowHash(secrets.hmac('pin', `${merchantId}:${pin}`));
    const end = made.lastIndexOf('$');
    return { merchantId, hash: made.slice(end + 1), slow: made.slice(0, end) };
  });
}

/**
 * Does the work while these merchants' PINs are stored as they were before the upgrade, and known to nobody. Afterwards they are as
 * they were: a load that comes next would wait for their slow hashes, and be refused.
 */
export async function whileOldPins<T>(
  databaseUrl: string,
  pins: readonly OldPin[],
  work: () => Promise<T>,
): Promise<T> {
  return onDatabase(databaseUrl, async (client) => {
    await client.query('create temporary table pins_before as select merchant_id, mode, hash, pepper_ids from pins');
    await client.query(
      `update pins set hash = old.hash, slow = old.slow, pepper_ids = null
         from unnest($1::uuid[], $2::text[], $3::text[]) as old (merchant_id, hash, slow)
        where pins.merchant_id = old.merchant_id`,
      [pins.map(({ merchantId }) => merchantId), pins.map(({ hash }) => hash), pins.map(({ slow }) => slow)],
    );
    await forgetProofs(databaseUrl);
    try {
      return await work();
    } finally {
      await client.query(
        `update pins p set hash = b.hash, slow = null, pepper_ids = b.pepper_ids, version = p.version + 1
           from pins_before b where p.merchant_id = b.merchant_id and p.mode = b.mode`,
      );
    }
  });
}

/**
 * A neighbour's run while other merchants give their PIN for the first time, one after the other, as long as the run lasts.
 * @returns what the neighbour had, and how many first debits were answered meanwhile. @throws Error when one is refused.
 */
export async function runBesideStorm(
  baseUrl: string,
  payers: readonly Payer[],
  neighbour: () => Promise<Run>,
): Promise<{ run: Run; firstDebits: number }> {
  let isOver = false;
  let firstDebits = 0;
  const storm = mapAtOnce(
    payers.length,
    async (at) => {
      if (isOver) return;
      const { key, pin, storeIds } = payers[at] as Payer;
      const body = { pin, amount: 1.5, storeId: storeIds[0], narration: 'Weekly sweep' };
      await post(baseUrl, key, '/branch/store/debit', body);
      firstDebits += 1;
    },
    AT_ONCE,
  );
  // Thrown again below, where somebody listens.
  storm.catch(() => undefined);
  const run = await neighbour().finally(() => (isOver = true));
  await storm;
  return { run, firstDebits };
}

async function onDatabase<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
