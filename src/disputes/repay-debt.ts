import { findInboundPayment } from '../collections/index.ts';
import type { Balance, Movement } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import { write } from '../platform/db/statement.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import { walletTransfer } from '../transactions/index.ts';
import type { Wallet } from '../wallets/index.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { lesser, walletOfPayment } from './open-dispute.ts';
import { type DisputeRow, findDispute, insertRepayments, listOwedDisputes } from './queries.ts';

/** Disputes looked at by one statement. */
const PAGE = 200;
const NOBODY = '00000000-0000-0000-0000-000000000000';

type RepayDeps = Pick<DisputeDeps, 'database' | 'ledger' | 'wallets' | 'collectionAccounts' | 'clock' | 'jobs'>;

/**
 * Pays what merchants owe after disputes from what their wallets have now, of each merchant the oldest dispute first: from the
 * wallet that had the payment, then from the main wallet. No wallet is overdrawn, and each repayment is made once.
 * @returns how many repayments were made.
 */
export async function repayDebts(deps: RepayDeps, mode: Mode): Promise<number> {
  const failures = deps.jobs.failuresOf('disputes.repay');
  let made = 0;
  for (let after = [NOBODY, NOBODY]; ; ) {
    const owed = await deps.database.query(listOwedDisputes, [mode, ...after, PAGE]);
    for (const row of owed) {
      if (failures.isBackingOff(row.id)) continue;
      try {
        made += await repay(deps, row);
        failures.succeeded(row.id);
      } catch (error) {
        failures.failed(row.id, error, { message: 'what a merchant owes could not be taken', mode });
      }
    }
    const last = owed.at(-1);
    if (last === undefined || owed.length < PAGE) return made;
    after = [last.merchant_id, last.id];
  }
}

async function repay(deps: RepayDeps, row: DisputeRow): Promise<number> {
  const tenant = tenantOf(row);
  const { wallet: main } = await deps.wallets.requireTenantAccounts(tenant);
  const wallets = [...new Set([await walletOf(deps, row), main.id])].filter((id) => id !== null);
  const balances = await deps.ledger.readBalances(tenant, wallets);
  let made = 0;
  for (const { accountId } of balances.filter(hasMoney))
    made += (await repayFrom(deps, tenant, row, accountId)) ? 1 : 0;
  return made;
}

/** A dispute that was lost before its payment reached a wallet names none: the payment does, once it is there. */
async function walletOf({ database }: RepayDeps, row: DisputeRow): Promise<string | null> {
  if (row.wallet_id !== null) return row.wallet_id;
  const [payment] = await database.query(findInboundPayment, [row.merchant_id, row.mode, row.payment_id]);
  return payment === undefined ? null : walletOfPayment(payment);
}

const hasMoney = ({ availableMinor }: Balance): boolean => availableMinor > 0n;

function repayFrom(deps: RepayDeps, tenant: Tenant, { id }: DisputeRow, walletId: string): Promise<boolean> {
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

/** One repayment: a transaction of the merchant's, and the dispute that is owed so much less for. */
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
  const to: Wallet = {
    id: receivable,
    bankCode: '',
    bankName: '',
    accountNumber: '',
    accountName: 'Owed after a dispute',
    createdAt: at.toISOString(),
  };
  const movement = walletTransfer(
    {
      tenant,
      category: 'RECEIVABLE_REPAYMENT',
      code: 'RECEIVABLE_REPAYMENT',
      amountMinor,
      currency: row.currency,
      narration: `Owed after dispute ${row.provider_dispute_id}`.slice(0, 100),
      description: `${formatMoney(amountMinor, row.currency)} of what was owed after a dispute was paid from ${wallet.accountName}`,
      from: wallet,
      to,
      debitAccountId: wallet.id,
      providerWalletId: providerFloat,
      walletId: wallet.id,
      subject: null,
      metadata: null,
      at,
      idempotency: undefined,
    },
    'What was owed is paid',
  );
  const { parts } = changeOf(row, { repaid_minor: row.repaid_minor + amountMinor }, at);
  return {
    ...movement,
    checks: parts.checks,
    changes: parts.changes,
    writes: [
      ...(movement.writes ?? []),
      ...parts.writes,
      write(insertRepayments, {
        merchant_id: row.merchant_id,
        mode: row.mode,
        dispute_id: row.id,
        id: movement.id,
        wallet_id: wallet.id,
        amount_minor: amountMinor,
        created_at: at,
      }),
    ],
    events: [...(movement.events ?? []), ...parts.events],
  };
}
