import { type Balance, joinParts, type Movement } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import { write } from '../platform/db/statement.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import { firstCharacters } from '../platform/text.ts';
import { walletTransfer } from '../transactions/index.ts';
import type { Wallet } from '../wallets/index.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { lesser } from './open-dispute.ts';
import { type DisputeRow, findDispute, insertRepayments, listOwedDisputes, type OwedDispute } from './queries.ts';

/** Repayments of one merchant, and of all, in one run. */
const OF_MERCHANT = 50;
const OF_ALL = 1_000;

type RepayDeps = Pick<DisputeDeps, 'database' | 'ledger' | 'wallets' | 'collectionAccounts' | 'clock' | 'jobs'>;

/**
 * Pays what merchants owe after disputes from what their wallets have now, the oldest dispute of each merchant first:
 * from the wallet that had the payment, then from the main wallet. No wallet is overdrawn, and each repayment is made
 * once.
 * @returns how many repayments were made.
 */
export async function repayDebts(deps: RepayDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('disputes.repay');
  const asked = [mode, failures.backingOffKeys(), OF_MERCHANT, OF_ALL];
  return takeTurns<OwedDispute>(await deps.database.query(listOwedDisputes, asked), {
    failures,
    stopped,
    tenantOf,
    keyOf: ({ id }) => id,
    take: (row) => repay(deps, row),
    aboutOf: (row) => ({ message: 'what a merchant owes could not be taken', ...tenantOf(row), disputeId: row.id }),
  });
}

async function repay(deps: RepayDeps, row: OwedDispute): Promise<number> {
  const tenant = tenantOf(row);
  const { wallet: main } = await deps.wallets.requireTenantAccounts(tenant);
  const wallets = [...new Set([row.wallet_id ?? main.id, main.id])];
  const balances = await deps.ledger.readBalances(tenant, wallets);
  let made = 0;
  for (const { accountId } of balances.filter(hasMoney))
    made += (await repayFrom(deps, tenant, row, accountId)) ? 1 : 0;
  return made;
}

const hasMoney = ({ availableMinor }: Balance): boolean => availableMinor > 0n;

function repayFrom(deps: RepayDeps, tenant: Tenant, { id }: OwedDispute, walletId: string): Promise<boolean> {
  return commitForDispute(deps.ledger.commit, async (isLast) => {
    const [[row], { availableMinor }, wallet] = await Promise.all([
      deps.database.query(findDispute, [tenant.merchantId, tenant.mode, id]),
      deps.ledger.readBalance(tenant, walletId),
      deps.wallets.findWallet(tenant, walletId),
    ]);
    if (row === undefined || wallet === undefined || isLast) return undefined;
    const amountMinor = lesser(row.loss_minor - row.repaid_minor, availableMinor);
    return amountMinor > 0n ? repayment(deps, row, { wallet, amountMinor }) : undefined;
  });
}

/** One repayment: a transaction of the merchant's, and the dispute with so much less debt. */
async function repayment(
  deps: RepayDeps,
  row: DisputeRow,
  { wallet, amountMinor }: { wallet: Wallet; amountMinor: bigint },
): Promise<Movement> {
  const tenant = tenantOf(row);
  const at = deps.clock.now();
  const [{ providerFloat }, receivable] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    deps.collectionAccounts.merchantReceivable(tenant),
  ]);
  const to = { id: receivable, bankCode: '', bankName: '', accountNumber: '', accountName: 'Owed after a dispute' };
  const movement = walletTransfer(
    {
      tenant,
      category: 'RECEIVABLE_REPAYMENT',
      code: 'RECEIVABLE_REPAYMENT',
      amountMinor,
      currency: row.currency,
      narration: firstCharacters(`Owed after dispute ${row.provider_dispute_id}`, 100),
      description: `${formatMoney(amountMinor, row.currency)} of what was owed after a dispute was paid from ${wallet.accountName}`,
      from: wallet,
      to,
      providerWalletId: providerFloat,
      walletId: wallet.id,
      at,
    },
    'What was owed is paid',
  );
  const { parts } = changeOf(row, { repaid_minor: row.repaid_minor + amountMinor }, at);
  const repaid = write(insertRepayments, {
    merchant_id: row.merchant_id,
    mode: row.mode,
    dispute_id: row.id,
    id: movement.id,
    wallet_id: wallet.id,
    amount_minor: amountMinor,
    created_at: at,
  });
  return { ...movement, ...joinParts(movement, parts, { writes: [repaid] }) };
}
