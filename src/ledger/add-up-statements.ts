import type { Database, Tx } from '../platform/db/database.ts';
import { arrayOf, rowsFor } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { lockTotalsCursor } from './daily-total-queries.ts';
import {
  insertStatementTotals,
  listWalletsThatLackTotals,
  STATEMENT_STEP,
  sumStatementTotals,
  updateTotalsCursorWhole,
} from './statement-total-queries.ts';

/** Transfers that one transaction reads: some tenths of a second. */
const ENTRIES_A_STEP = 50_000;
/** Of each wallet, however many there are: so it gets on by one total within its statement. */
const LEAST_A_WALLET = STATEMENT_STEP;
const WALLETS_A_STEP = 200;
/** Transactions for one merchant in one run. */
const STEPS_A_MERCHANT = 100;

interface Waiting {
  /** How many transfers are to be added up, of whatever day. */
  waiting: bigint;
}

/**
 * How many transfers of each wallet one step reads at most: what few have is read at once, and what they leave goes to those with
 * more. In the order of the wallets.
 */
export function sharesOf(wallets: readonly Waiting[]): bigint[] {
  const shares: bigint[] = [];
  let left = ENTRIES_A_STEP;
  let still = wallets.length;
  const byWaiting = [...wallets.entries()].sort(([, a], [, b]) => (a.waiting < b.waiting ? -1 : 1));
  for (const [at, { waiting }] of byWaiting) {
    const most = Math.max(LEAST_A_WALLET, Math.floor(left / still));
    // More than waited a moment ago, so that what is booked meanwhile is read as well and asks for no further step.
    shares[at] = BigInt(most);
    left -= Math.min(Number(waiting), most);
    still -= 1;
  }
  return shares;
}

interface WalletToTotal extends Waiting {
  wallet_id: string;
  /** So many transfers at least, whatever its share is. */
  least: bigint;
}

/**
 * Adds up the statements of these wallets. What would be too much for one transaction is left for the wallets' next
 * turn.
 */
export async function addUpStatements(
  tx: Tx,
  { merchantId, mode }: Tenant,
  wallets: readonly WalletToTotal[],
): Promise<void> {
  if (wallets.length === 0) return;
  const ids = arrayOf(
    'uuid',
    wallets.map(({ wallet_id }) => wallet_id),
  );
  const shares = sharesOf(wallets);
  const totals = wallets.map(({ least }, at) => {
    const share = shares[at] ?? 0n;
    return (least > share ? least : share) / BigInt(STATEMENT_STEP) + 1n;
  });
  const rows = await tx.query(sumStatementTotals, [merchantId, mode, ids, arrayOf('bigint', totals)]);
  await tx.run(...rowsFor(insertStatementTotals, rows));
}

/**
 * Adds up what the statements of a merchant lack, whether or not money moves in its wallets, as after an upgrade from a release
 * that had no such totals. From then on they go with the days.
 */
export async function addUpLackingStatements(database: Database, tenant: Tenant): Promise<void> {
  for (let at = 0; at < STEPS_A_MERCHANT; at += 1)
    if (!(await database.transaction((tx) => addUpLackingStep(tx, tenant)))) return;
}

/** @returns whether there may be more to do; not where another process has these books */
async function addUpLackingStep(tx: Tx, tenant: Tenant): Promise<boolean> {
  const key = [tenant.merchantId, tenant.mode];
  const [locked] = await tx.query(lockTotalsCursor, key);
  if (locked === undefined || locked.has_statement_totals) return false;
  const wallets = await tx.query(listWalletsThatLackTotals, [...key, WALLETS_A_STEP]);
  await addUpStatements(
    tx,
    tenant,
    wallets.map((wallet) => ({ ...wallet, least: 0n })),
  );
  if (wallets.length === 0) await tx.query(updateTotalsCursorWhole, key);
  return wallets.length > 0;
}
