import type { CommitResult } from '../ledger/index.ts';
import { type OpenChildDeps, type OpenChildInput, openChild } from '../wallets/index.ts';
import { subaccountKind } from './subaccount-kind.ts';

export type CreateSubaccountDeps = OpenChildDeps;

/** Opens a subaccount with an empty wallet of its own. Names may repeat; ids do not. */
export function createSubaccount(deps: CreateSubaccountDeps, input: OpenChildInput): Promise<CommitResult> {
  return openChild(deps, subaccountKind, input);
}
