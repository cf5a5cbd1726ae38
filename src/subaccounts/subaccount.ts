import type { CommitResult } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type ChildKind,
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
import { findSubaccount, insertSubaccounts } from './queries.ts';
import { subaccountView } from './views.ts';

const subaccountNotFound = () =>
  new AppError('not_found', 'SUBACCOUNT_NOT_FOUND', 'There is no subaccount with this id.');

/** A subaccount among the kinds of child wallets. */
const subaccountKind: ChildKind<ReturnType<typeof subaccountView>> = {
  account: 'SUBACCOUNT_WALLET',
  createdEvent: 'subaccount.created',
  createdMessage: 'Subaccount created',
  table: 'subaccounts',
  insert: insertSubaccounts,
  view: subaccountView,
};

export type CreateSubaccountDeps = OpenChildDeps;

/** Opens a subaccount with an empty wallet of its own. Names may repeat; ids do not. */
export function createSubaccount(deps: CreateSubaccountDeps, input: OpenChildInput): Promise<CommitResult> {
  return openChild(deps, subaccountKind, input);
}

export interface ReadSubaccountsDeps extends ReadChildDeps {
  subaccounts: SubaccountDirectory;
}

/** One subaccount with its balances. @throws AppError `SUBACCOUNT_NOT_FOUND` */
export function readSubaccount(deps: ReadSubaccountsDeps, tenant: Tenant, subaccountId: string) {
  return readChild(deps, subaccountKind, deps.subaccounts.requireSubaccount, tenant, subaccountId);
}

/** A page of subaccounts, newest first. */
export function readSubaccounts(deps: ReadSubaccountsDeps, tenant: Tenant, request: ListRequest) {
  return readChildren(deps, subaccountKind, tenant, request);
}

export interface SubaccountDirectory {
  /** @throws AppError `SUBACCOUNT_NOT_FOUND`, for another merchant's subaccount and another mode's too. */
  requireSubaccount: RequireChild;
}

export function createSubaccountDirectory(database: Database, wallets: WalletDirectory): SubaccountDirectory {
  const kind = { find: findSubaccount, notFound: subaccountNotFound };
  return { requireSubaccount: createChildDirectory({ database, wallets }, kind) };
}
