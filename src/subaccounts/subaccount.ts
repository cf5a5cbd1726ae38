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
import { insertSubaccounts } from './queries.ts';
import type { SubaccountDirectory } from './subaccount-directory.ts';
import { subaccountView } from './views.ts';

/** A subaccount among the kinds of child wallets. */
export const subaccountKind: ChildKind<ReturnType<typeof subaccountView>> = {
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
