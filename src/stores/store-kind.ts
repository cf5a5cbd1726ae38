import type { ChildKind } from '../wallets/index.ts';
import { insertStores } from './queries.ts';
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
