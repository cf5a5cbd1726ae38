import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMerchant } from '../src/demo/make-merchant.ts';
import { createLedger, type Ledger } from '../src/ledger/index.ts';
import { systemClock } from '../src/platform/clock.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { newId } from '../src/platform/ids.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import type { Tenant } from '../src/platform/tenant.ts';
import { debitStore } from '../src/stores/debit-store.ts';
import { createStore, createStoreDirectory, type StoreDirectory } from '../src/stores/index.ts';
import { walletTransfer } from '../src/transactions/index.ts';
import { createWalletDirectory, type WalletDirectory } from '../src/wallets/index.ts';
import { processCpu, serverCpu } from './cpu.ts';

/**
 * The ledger without HTTP, in a process of its own: node ledger-load.ts KIND LANES WARMUP_SECONDS SECONDS POSTMASTER_PID,
 * with the database in DATABASE_URL. `full` commits store debits with transaction, event and idempotency key, 1,000 a
 * group; `bare` commits movements of 1,000 linked transfers and one event. Answers with one line of JSON.
 */
const GROUP = 1_000;
const STORES = 20;
/** Groups that a lane has in hand: one commits while the next one waits complete. */
const GROUPS_PER_LANE = 2;
const STORE_AMOUNT_MINOR = 100_000_000_000n;
const MAX_MERCHANTS_TRIED = 200;

const [, , kind = 'full', committersText = '1', warmUp = '0', seconds = '1', postmaster = '0'] = process.argv;
const committers = Number(committersText);
const logger = createLogger('error');
const clock = systemClock;
const walletBank = { code: '999', name: 'Manilla Wallet' };

interface Deps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  stores: StoreDirectory;
}

interface Till {
  tenant: Tenant;
  storeIds: string[];
  storeWalletIds: string[];
  floatId: string;
}

/** A merchant with stores full of money. */
async function openTill(deps: Deps, merchantId: string): Promise<Till> {
  const tenant: Tenant = { merchantId, mode: 'SANDBOX' };
  const { providerFloat, wallet } = await deps.wallets.requireTenantAccounts(tenant);
  const till: Till = { tenant, storeIds: [], storeWalletIds: [], floatId: providerFloat };
  for (let at = 0; at < STORES; at += 1) {
    const name = `Store ${at}`;
    const input = { tenant, merchantName: 'Till', name, idempotency: undefined };
    const { answer } = await createStore({ ...deps, walletBank, clock }, input);
    const { storeId } = (JSON.parse(answer.body.toString()) as { data: { storeId: string } }).data;
    const store = await deps.stores.requireStore(tenant, storeId);
    till.storeIds.push(storeId);
    till.storeWalletIds.push(store.wallet.id);
    const funding = walletTransfer(
      {
        ...{ tenant, category: 'WALLET_FUNDING', code: 'SANDBOX_FUNDING', currency: 'NGN' },
        ...{ amountMinor: STORE_AMOUNT_MINOR, narration: 'Funding', description: 'Funding' },
        ...{ from: { ...wallet, id: providerFloat }, to: store.wallet },
        ...{ providerWalletId: providerFloat, walletId: store.wallet.id, at: clock.now() },
      },
      'Funded',
    );
    await deps.ledger.commit(funding);
  }
  return till;
}

/** One till for each lane: the ledger puts a merchant into the lane that its id says. */
async function openTills(deps: Deps): Promise<Till[]> {
  const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
  const tills = new Map<number, Till>();
  for (let tried = 0; tills.size < committers && tried < MAX_MERCHANTS_TRIED; tried += 1) {
    const profile = { businessName: 'Till', email: 'till@bench.example', phoneNumber: '2348012345678' };
    const { merchantId } = await makeMerchant({ ...deps, secrets, clock, walletBank }, { profile, approved: true });
    const committer = Number.parseInt(merchantId.slice(-6), 16) % committers;
    if (!tills.has(committer)) tills.set(committer, await openTill(deps, merchantId));
  }
  return [...tills.values()];
}

const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** 1,000 store debits at once, which the ledger takes as one group. */
async function commitFull(deps: Deps, till: Till): Promise<void> {
  const debits = Array.from({ length: GROUP }, () =>
    debitStore(
      { ...deps, clock },
      {
        tenant: till.tenant,
        storeId: anyOf(till.storeIds),
        amountMinor: 150n,
        narration: 'Weekly sweep',
        idempotency: { key: randomUUID(), inputHash: 'hashed in the HTTP layer, 43 characters long' },
      },
    ),
  );
  await Promise.all(debits);
}

/** 1,000 linked transfers that one event tells of. */
async function commitBare(deps: Deps, till: Till): Promise<void> {
  const id = newId();
  await deps.ledger.commit({
    tenant: till.tenant,
    id,
    occurredAt: clock.now().toISOString(),
    transfers: Array.from({ length: GROUP }, () => ({
      ...{ kind: 'POSTED' as const, id: newId(), amountMinor: 1n, code: 'SANDBOX_FUNDING' as const },
      ...{ debitAccountId: till.floatId, creditAccountId: anyOf(till.storeWalletIds) },
    })),
    events: [{ id: newId(), type: 'bench.moved', subjectId: id, data: '{}' }],
    answer: { message: 'Moved' },
  });
}

async function main(): Promise<void> {
  const connectionString = process.env['DATABASE_URL'] ?? '';
  const database = openDatabase({ connectionString, maxConnections: committers + 2, logger });
  const ledger = createLedger({ database, logger, clock, committers });
  const wallets = createWalletDirectory(database);
  const deps: Deps = { database, ledger, wallets, stores: createStoreDirectory(database, wallets) };
  const tills = await openTills(deps);
  const commit = kind === 'bare' ? commitBare : commitFull;
  let acknowledged = 0;
  let stopped = false;
  const loops = tills.flatMap((till) =>
    Array.from({ length: GROUPS_PER_LANE }, async () => {
      while (!stopped) {
        await commit(deps, till);
        acknowledged += GROUP;
      }
    }),
  );
  const sample = () => ({
    at: performance.now(),
    acknowledged,
    service: processCpu(process.pid),
    database: serverCpu(Number(postmaster)),
  });
  const measured = (async () => {
    await sleep(Number(warmUp) * 1000);
    const before = sample();
    await sleep(Number(seconds) * 1000);
    const after = sample();
    stopped = true;
    return { before, after };
  })();
  // A loop that fails ends the run at once, and not after its time.
  const [{ before, after }] = await Promise.all([measured, ...loops]);
  const done = after.acknowledged - before.acknowledged;
  const line = {
    acknowledged,
    rate: (done / (after.at - before.at)) * 1000,
    serviceCpuUs: ((after.service - before.service) / done) * 1e6,
    databaseCpuUs: ((after.database - before.database) / done) * 1e6,
  };
  console.log(`RESULT ${JSON.stringify(line)}`);
  await ledger.drain();
  await database.close();
}

await main();
