import type { Balance, CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type SetStatement, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import {
  asPayable,
  type Child,
  payableWallets,
  type RequireChild,
  type Wallet,
  type WalletDirectory,
  walletOf,
} from './directory.ts';
import { type NewWallet, prepareWallet, type WalletBank } from './open-wallet.ts';
import { type ChildRow, type ChildTable, childList, type ListedChildRow } from './queries.ts';

/** Booked and available, in minor units. */
export type ChildBalance = Pick<Balance, 'bookedMinor' | 'availableMinor'>;

/** What distinguishes one kind of child from another. */
export interface ChildKind<View> {
  account: Extract<NewWallet['kind'], 'STORE_WALLET' | 'SUBACCOUNT_WALLET'>;
  /** The type of the event for a new one. */
  createdEvent: string;
  createdMessage: string;
  table: ChildTable;
  insert: SetStatement<ChildRow>;
  view: (mode: Mode, child: Child, balance: ChildBalance) => View;
}

export interface OpenChildDeps {
  database: Database;
  ledger: Ledger;
  walletBank: WalletBank;
  clock: Clock;
}

export interface OpenChildInput {
  tenant: Tenant;
  merchantName: string;
  name: string;
  idempotency: IdempotencyKey | undefined;
}

/** Opens a child with an empty wallet of its own. Names may repeat; ids do not. */
export async function openChild<View>(
  deps: OpenChildDeps,
  kind: ChildKind<View>,
  input: OpenChildInput,
): Promise<CommitResult> {
  const { tenant } = input;
  const id = newId();
  const at = deps.clock.now();
  const name = input.name.trim();
  const { row, writes } = await prepareWallet(deps.database, deps.walletBank, {
    tenant,
    kind: kind.account,
    ownerId: id,
    accountName: `${input.merchantName} / ${name}`,
    openedAt: at,
  });
  const wallet = asPayable(walletOf(row), tenant, undefined);
  const child = { id, name, wallet, createdAt: at.toISOString() };
  const view = kind.view(tenant.mode, child, { bookedMinor: 0n, availableMinor: 0n });
  const { merchantId, mode } = tenant;
  const childRow = { merchant_id: merchantId, mode, id, name, wallet_id: row.id, created_at: at };
  return deps.ledger.commit({
    tenant,
    id: newId(),
    occurredAt: at.toISOString(),
    idempotency: input.idempotency,
    writes: [...writes, write(kind.insert, childRow)],
    events: [{ id: newId(), type: kind.createdEvent, subjectId: id, data: JSON.stringify(view) }],
    answer: { message: kind.createdMessage },
  });
}

export interface ReadChildDeps {
  database: Database;
  wallets: WalletDirectory;
  ledger: Ledger;
}

/** One child with its balances. @throws AppError not found */
export async function readChild<View>(
  deps: ReadChildDeps,
  kind: ChildKind<View>,
  requireChild: RequireChild,
  tenant: Tenant,
  id: string,
): Promise<View> {
  const child = await requireChild(tenant, id);
  const [[wallet = child.wallet], balance] = await Promise.all([
    payableWallets(deps.wallets, tenant, [child.wallet]),
    deps.ledger.readBalance(tenant, child.wallet.id),
  ]);
  return kind.view(tenant.mode, { ...child, wallet }, balance);
}

/**
 * A page of children, newest first, with their balances read at one moment. A search looks through the names of all of them.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readChildren<View>(
  { database, ledger, wallets: directory }: ReadChildDeps,
  kind: ChildKind<View>,
  tenant: Tenant,
  request: ListRequest & { search?: string | undefined },
) {
  const wanted = request.search?.trim().toLowerCase() || undefined;
  const asked = { list: childList(kind.table, tenant, wanted), isLong: wanted !== undefined };
  const found = await readListOf(database, tenant.merchantId, asked, request);
  const children = found.rows.map(childOf);
  const [wallets, balances] = await Promise.all([
    payableWallets(
      directory,
      tenant,
      children.map(({ wallet }) => wallet),
    ),
    ledger.readBalances(
      tenant,
      found.rows.map((row) => row.id),
    ),
  ]);
  return listView(found, (_row, at) => {
    const child = { ...(children[at] as Child), wallet: wallets[at] as Wallet };
    return kind.view(tenant.mode, child, balances[at] as ChildBalance);
  });
}

function childOf(row: ListedChildRow): Child {
  return {
    id: row.child_id,
    name: row.child_name,
    wallet: walletOf(row),
    createdAt: row.child_created_at.toISOString(),
  };
}
