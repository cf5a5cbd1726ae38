import type { Database } from '../platform/db/database.ts';
import { type Child, createChildDirectory, type RequireChild, type WalletDirectory } from '../wallets/index.ts';
import { subaccountNotFound } from './errors.ts';
import { findSubaccount } from './queries.ts';

export type Subaccount = Child;

export interface SubaccountDirectory {
  /** @throws AppError `SUBACCOUNT_NOT_FOUND`, for another merchant's subaccount and another mode's too. */
  requireSubaccount: RequireChild;
}

export function createSubaccountDirectory(database: Database, wallets: WalletDirectory): SubaccountDirectory {
  const kind = { find: findSubaccount, notFound: subaccountNotFound };
  return { requireSubaccount: createChildDirectory({ database, wallets }, kind) };
}
