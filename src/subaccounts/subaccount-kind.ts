import type { ChildKind } from '../wallets/index.ts';
import { insertSubaccounts } from './queries.ts';
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
