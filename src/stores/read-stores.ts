import type { ListRequest } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type ReadChildDeps, readChild, readChildren } from '../wallets/index.ts';
import type { StoreDirectory } from './store-directory.ts';
import { storeKind } from './store-kind.ts';

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
