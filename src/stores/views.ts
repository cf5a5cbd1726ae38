import type { Mode } from '../platform/tenant.ts';
import { type ChildBalance, childWalletView } from '../wallets/index.ts';
import type { Store } from './store-directory.ts';

export function storeView(mode: Mode, store: Store, balance: ChildBalance) {
  return { storeId: store.id, name: store.name, ...childWalletView(mode, store, balance) };
}
