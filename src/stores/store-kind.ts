import type { ChildKind } from '../wallets/index.ts';
import { countStores, insertStores, listStores } from './queries.ts';
import { storeView } from './views.ts';

/** A store among the kinds of child wallets. */
export const storeKind: ChildKind<ReturnType<typeof storeView>> = {
  account: 'STORE_WALLET',
  createdEvent: 'store.created',
  createdMessage: 'Store created',
  queries: { insert: insertStores, list: listStores, count: countStores },
  view: storeView,
};
