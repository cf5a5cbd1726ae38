import { type CommitResult, readEntryBound } from '../ledger/index.ts';
import { ownersNoticeWrites } from '../mail/index.ts';
import { formatMoney } from '../money/index.ts';
import { lagosClock, lagosDay, startOfLagosDay } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requireWallet, type Wallet } from '../wallets/index.ts';
import { settlementMovedOn } from './errors.ts';
import { findLastSettlementOfWallet } from './queries.ts';
import { type ChangeInput, minorOf, type SettingsDeps } from './settings.ts';
import { walletSettingsView } from './views.ts';
import {
  findWalletSettings,
  findWalletState,
  insertWalletSettings,
  upsertWalletStates,
  type WalletSettingsRow,
  walletList,
} from './wallet-queries.ts';

/** Scope of unique keys: each version of the settings of a wallet once. */
const VERSION_SCOPE = 'WALLET_SETTLEMENT_SETTINGS';

const NONE_YET = { result: null, last_id: null, last_number: null, last_status: null };

/**
 * Requires the wallet of a store or subaccount.
 * @throws AppError 404 `WALLET_NOT_FOUND`; `VALIDATION_FAILED` for the main wallet
 */
async function requireChildWallet(deps: Pick<SettingsDeps, 'wallets'>, tenant: Tenant, walletId: string) {
  const [wallet, { wallet: main }] = await Promise.all([
    requireWallet(deps.wallets, tenant, walletId.toLowerCase()),
    deps.wallets.requireTenantAccounts(tenant),
  ]);
  if (wallet.id === main.id) {
    throw invalidField('childWalletId', 'is your main wallet: its settlements are set by the settings of settlements');
  }
  return wallet;
}

/**
 * Wallets of stores and subaccounts with settings for settlements.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readWalletSettings(queries: Queries, tenant: Tenant, request: ListRequest) {
  const found = await readList(queries, walletList(tenant), request);
  return listView(found, (row) => walletSettingsView({ id: row.wallet_id, accountName: row.account_name }, row, row));
}

/**
 * The settings of the wallet of a store or subaccount, and its last settlement.
 * @throws AppError 404 `WALLET_NOT_FOUND`; `VALIDATION_FAILED` for the main wallet
 */
export async function readSettingsOfWallet(
  deps: Pick<SettingsDeps, 'database' | 'wallets'>,
  tenant: Tenant,
  walletId: string,
) {
  const wallet = await requireChildWallet(deps, tenant, walletId);
  const key = [tenant.merchantId, tenant.mode, wallet.id];
  const [[settings], [state], [last]] = await Promise.all([
    deps.database.query(findWalletSettings, key),
    deps.database.query(findWalletState, key),
    deps.database.query(findLastSettlementOfWallet, key),
  ]);
  return walletSettingsView(wallet, settings, {
    result: state?.result ?? null,
    last_id: last?.id ?? null,
    last_number: last?.number ?? null,
    last_status: last?.status ?? null,
  });
}

/** Where the settlements of a wallet begin, and how much of it stays; undefined where it is not settled. */
export async function readSettledWallet(queries: Queries, { merchantId, mode }: Tenant, walletId: string) {
  const key = [merchantId, mode, walletId];
  const [[state], [settings]] = await Promise.all([
    queries.query(findWalletState, key),
    queries.query(findWalletSettings, key),
  ]);
  return state?.is_settled === true && settings !== undefined ? { state, settings } : undefined;
}

/**
 * Makes the next version of a merchant's settings for the wallet of a store or subaccount. The first one sets where its
 * settlements begin: with what is booked from the beginning of that day on. The merchant's schedule decides when they
 * are made.
 * @throws AppError 404 `WALLET_NOT_FOUND`; `VALIDATION_FAILED`; 409 `MERCHANT_SETTLEMENT_MOVED_ON` where somebody else changed
 *   it at the same moment
 */
export async function changeWalletSettings(
  deps: SettingsDeps,
  input: ChangeInput<{ settled?: boolean; keepInWallet?: number }> & { walletId: string },
): Promise<CommitResult> {
  const { tenant, changes, by } = input;
  const wallet = await requireChildWallet(deps, tenant, input.walletId);
  const { merchantId: merchant_id, mode } = tenant;
  const at = deps.clock.now();
  const [[before], begins] = await Promise.all([
    deps.database.query(findWalletSettings, [merchant_id, mode, wallet.id]),
    readEntryBound(deps.database, tenant, wallet.id, startOfLagosDay(lagosDay(at))),
  ]);
  const row: WalletSettingsRow = {
    merchant_id,
    mode,
    wallet_id: wallet.id,
    version: (before?.version ?? 0) + 1,
    id: newId(),
    is_settled: changes.settled ?? before?.is_settled ?? true,
    keep_minor: minorOf(changes.keepInWallet, 'keepInWallet') ?? before?.keep_minor ?? 0n,
    changed_by: by,
    changed_at: at,
  };
  const state = {
    merchant_id,
    mode,
    wallet_id: wallet.id,
    is_settled: row.is_settled,
    first_sequence: begins.sequence,
    first_balance_minor: begins.balanceMinor,
    updated_at: at,
  };
  const on = { queries: deps.database, secrets: deps.secrets, clock: deps.clock };
  const mails = await ownersNoticeWrites(on, merchant_id, (businessName) => notice(businessName, wallet, row));
  const data = jsonOf(walletSettingsView(wallet, row, NONE_YET));
  return deps.ledger.commit({
    tenant,
    id: row.id,
    occurredAt: at.toISOString(),
    idempotency: input.idempotency,
    uniqueKeys: [{ scope: VERSION_SCOPE, value: `${wallet.id}/${row.version}`, refusal: settlementMovedOn }],
    writes: [write(insertWalletSettings, row), write(upsertWalletStates, state), ...mails],
    events: [{ id: newId(), type: 'wallet_settlement_settings.updated', subjectId: wallet.id, data }],
    answer: { message: 'Settings of settlements saved' },
  });
}

function notice(
  businessName: string,
  { accountName }: Wallet,
  { is_settled, keep_minor, changed_by, changed_at, mode }: WalletSettingsRow,
) {
  const where = mode === 'LIVE' ? 'live mode' : 'the sandbox';
  const what = is_settled
    ? `What is collected there goes to your bank account as well; ${formatMoney(keep_minor, 'NGN')} stays in it.`
    : 'What is collected there stays in it.';
  return {
    subject: `The settings of settlements of ${businessName} were changed`,
    paragraphs: [
      `${changed_by} changed in ${where}, on ${lagosClock(changed_at)} Lagos time, the settlements of the wallet ${accountName}. ${what}`,
      'If nobody of your business was to change it, put it right under "Settlements" and look in the audit log who did.',
    ],
  };
}
