import type { CommitResult } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import {
  type Child,
  type ChildBalance,
  type ChildKind,
  childWalletView,
  createChildDirectory,
  type OpenChildDeps,
  type OpenChildInput,
  openChild,
  type ReadChildDeps,
  type RequireChild,
  readChild,
  readChildren,
  type WalletDirectory,
} from '../wallets/index.ts';
import { findStore, insertStores } from './queries.ts';

const storeNotFound = () => new AppError('not_found', 'STORE_NOT_FOUND', 'There is no store with this id.');

/** A store among the kinds of child wallets. */
const storeKind: ChildKind<ReturnType<typeof storeView>> = {
  account: 'STORE_WALLET',
  createdEvent: 'store.created',
  createdMessage: 'Store created',
  table: 'stores',
  insert: insertStores,
  view: storeView,
};

export type CreateStoreDeps = OpenChildDeps;

/** Opens a store with an empty wallet of its own. Names may repeat; ids do not. */
export function createStore(deps: CreateStoreDeps, input: OpenChildInput): Promise<CommitResult> {
  return openChild(deps, storeKind, input);
}

export interface ReadStoresDeps extends ReadChildDeps {
  stores: StoreDirectory;
}

/** One store with its balances. @throws AppError `STORE_NOT_FOUND` */
export function readStore(deps: ReadStoresDeps, tenant: Tenant, storeId: string) {
  return readChild(deps, storeKind, deps.stores.requireStore, tenant, storeId);
}

/** A page of stores, newest first; where something is searched for, of those with it in their name. */
export function readStores(
  deps: ReadStoresDeps,
  tenant: Tenant,
  request: ListRequest & { search?: string | undefined },
) {
  return readChildren(deps, storeKind, tenant, request);
}

export type Store = Child;

export interface StoreDirectory {
  /** @throws AppError `STORE_NOT_FOUND`, for another merchant's store and another mode's too. */
  requireStore: RequireChild;
}

export function createStoreDirectory(database: Database, wallets: WalletDirectory): StoreDirectory {
  return { requireStore: createChildDirectory({ database, wallets }, { find: findStore, notFound: storeNotFound }) };
}

function storeView(mode: Mode, store: Store, balance: ChildBalance) {
  return { storeId: store.id, name: store.name, ...childWalletView(mode, store, balance) };
}
