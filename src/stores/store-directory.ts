import type { Database } from '../platform/db/database.ts';
import { type Child, createChildDirectory, type RequireChild, type WalletDirectory } from '../wallets/index.ts';
import { storeNotFound } from './errors.ts';
import { findStore } from './queries.ts';

export type Store = Child;

export interface StoreDirectory {
  /** @throws AppError `STORE_NOT_FOUND`, for another merchant's store and another mode's too. */
  requireStore: RequireChild;
}

export function createStoreDirectory(database: Database, wallets: WalletDirectory): StoreDirectory {
  return { requireStore: createChildDirectory({ database, wallets }, { find: findStore, notFound: storeNotFound }) };
}
