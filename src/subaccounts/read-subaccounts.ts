import type { ListRequest } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type ReadChildDeps, readChild, readChildren } from '../wallets/index.ts';
import type { SubaccountDirectory } from './subaccount-directory.ts';
import { subaccountKind } from './subaccount-kind.ts';

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
