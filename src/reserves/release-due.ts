import type { Ledger, Movement } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { merchantsBackingOff, takeTurns } from '../platform/jobs/take-turns.ts';
import { jsonOf } from '../platform/json-text.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { walletTransfer } from '../transactions/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import {
  listDueReserves,
  listKeptReserves,
  type ReserveRow,
  updateReservesAdvanced,
  updateReservesReleased,
} from './queries.ts';
import { releaseView } from './views.ts';

/** What releasing reserves needs. */
export interface ReleaseDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  clock: Clock;
  jobs: JobMonitor;
  /** The account of a merchant's books that holds its reserve. */
  reserveAccount: (tenant: Tenant) => Promise<string>;
}

/** Scope of a unique key: what was kept of a payment is released once. */
const RELEASED = 'RESERVE_RELEASE';
const MESSAGE = 'a reserve could not be released';
/** For one merchant in a run, and so in one movement at most. */
const OF_MERCHANT = 500;
const OF_ALL = 2_000;

/** Never returned to a client: the job that gets it reads again what is still kept. */
const releasedBefore = () =>
  new AppError('conflict', 'RESERVE_RELEASED', 'What was kept of this payment was released before.');

/**
 * Brings back to their wallets what is due of a mode: what one wallet gets back of one day is one movement and one
 * transaction. Any number of workers may do it at once, and a worker that dies leaves it due: the part of each payment
 * comes back once, by its unique key.
 * @returns of how many payments it was brought back.
 */
export async function releaseDueReserves(deps: ReleaseDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('reserves.release');
  const due = await deps.database.query(listDueReserves, [
    mode,
    deps.clock.now(),
    merchantsBackingOff(failures, mode),
    OF_MERCHANT,
    OF_ALL,
  ]);
  const turns = [...Map.groupBy(due, ({ merchant_id }) => merchant_id).values()] as DueTurn[];
  return takeTurns<DueTurn>(turns, {
    failures,
    stopped,
    tenantOf: ([first]) => tenantOf(first),
    keyOf: ([first]) => tenantKey(tenantOf(first)),
    take: async (turn) => {
      let released = 0;
      for (const group of groupsOf(turn)) released += await releaseGroup(deps, group);
      return released;
    },
    aboutOf: ([first]) => ({ message: MESSAGE, ...tenantOf(first) }),
  });
}

type DueTurn = [ReserveRow, ...ReserveRow[]];

/** Reserves that are released together: of one wallet, on one day. */
function groupsOf(rows: readonly ReserveRow[]): DueTurn[] {
  return [...Map.groupBy(rows, ({ wallet_id, release_on }) => `${wallet_id}/${release_on}`).values()] as DueTurn[];
}

/** Another worker may be releasing some of them at this moment: then the rest is read again. */
const MAX_ATTEMPTS = 20;

async function releaseGroup(deps: ReleaseDeps, group: DueTurn): Promise<number> {
  const [first] = group;
  const tenant = tenantOf(first);
  let kept: readonly ReserveRow[] = group;
  for (let attempt = 1; ; attempt += 1) {
    const [one] = kept;
    if (one === undefined) return 0;
    try {
      await deps.ledger.commit(await releaseOf(deps, tenant, [one, ...kept.slice(1)]));
      return kept.length;
    } catch (error) {
      const isOvertaken = error instanceof AppError && error.code === releasedBefore().code;
      if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
      const ids = kept.map(({ payment_id }) => payment_id);
      kept = await deps.database.query(listKeptReserves, [tenant.merchantId, tenant.mode, ids]);
    }
  }
}

/** The transaction that the merchant sees, the money, and the state of each payment's part; all of it or nothing. */
async function releaseOf(deps: ReleaseDeps, tenant: Tenant, kept: DueTurn): Promise<Movement> {
  const [{ wallet_id: walletId, release_on: releaseOn }] = kept;
  const at = deps.clock.now();
  const [wallet, accounts, accountId] = await Promise.all([
    deps.wallets.findWallet(tenant, walletId),
    deps.wallets.requireTenantAccounts(tenant),
    deps.reserveAccount(tenant),
  ]);
  if (wallet === undefined) throw new Error(`${walletId} is no wallet`);
  const releaseId = newId();
  const amountMinor = kept.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
  const from = { id: accountId, bankCode: '', bankName: '', accountName: RESERVE_NAME, accountNumber: '' };
  const payments = kept.length === 1 ? 'one payment' : `${kept.length} payments`;
  const movement = walletTransfer(
    {
      tenant,
      transactionId: releaseId,
      category: 'RESERVE_RELEASE',
      code: 'RESERVE_RELEASE',
      amountMinor,
      currency: DEFAULT_CURRENCY,
      narration: `Reserve of ${payments} released`,
      description: `${formatMoney(amountMinor, DEFAULT_CURRENCY)} kept of ${payments} came back to ${wallet.accountName}`,
      from,
      to: wallet,
      providerWalletId: accounts.providerFloat,
      walletId: wallet.id,
      at,
    },
    'The reserve is released',
  );
  const released = { merchant_id: tenant.merchantId, mode: tenant.mode, released_at: at, release_id: releaseId };
  const view = releaseView({ releaseId, walletId, releaseOn, amountMinor, payments: kept.length, at });
  return {
    ...movement,
    uniqueKeys: kept.map(({ payment_id }) => ({ scope: RELEASED, value: payment_id, refusal: releasedBefore })),
    writes: [
      ...(movement.writes ?? []),
      ...kept.map(({ payment_id }) => write(updateReservesReleased, { ...released, payment_id })),
    ],
    events: [
      ...(movement.events ?? []),
      { id: newId(), type: 'reserve.released', subjectId: releaseId, data: jsonOf(view) },
    ],
  };
}

/** The name of the other side of a release, on a transaction. */
export const RESERVE_NAME = 'Reserve';

/** Writes that make what is kept in a sandbox due so much earlier. */
export function reserveAdvanceWrites({ merchantId, mode }: Tenant, seconds: number) {
  return [write(updateReservesAdvanced, { merchant_id: merchantId, mode, seconds })];
}
