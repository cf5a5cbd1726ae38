import type { CommitResult } from '../ledger/index.ts';
import { type OpenChildDeps, type OpenChildInput, openChild } from '../wallets/index.ts';
import { storeKind } from './store-kind.ts';

export type CreateStoreDeps = OpenChildDeps;

/** Opens a store with an empty wallet of its own. Names may repeat; ids do not. */
export function createStore(deps: CreateStoreDeps, input: OpenChildInput): Promise<CommitResult> {
  return openChild(deps, storeKind, input);
}
