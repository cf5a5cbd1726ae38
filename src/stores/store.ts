import type { CommitResult } from '../ledger/index.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type ChildKind,
  type OpenChildDeps,
  type OpenChildInput,
  openChild,
  type ReadChildDeps,
  readChild,
  readChildren,
} from '../wallets/index.ts';
import { insertStores } from './queries.ts';
import type { StoreDirectory } from './store-directory.ts';
import { storeView } from './views.ts';

/** A store among the kinds of child wallets. */
export const storeKind: ChildKind<ReturnType<typeof storeView>> = {
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

/** A page of stores, newest first. */
export function readStores(deps: ReadStoresDeps, tenant: Tenant, request: ListRequest) {
  return readChildren(deps, storeKind, tenant, request);
}
