import { type StateChange, type StateMachine, stateChangeColumns, stateMachine } from '../ledger/index.ts';
import { setStatement } from '../platform/db/statement.ts';
import type { VirtualAccountStatus } from '../wallets/index.ts';

const machine = stateMachine<VirtualAccountStatus>('virtual_account', 'virtual_accounts', {
  REQUESTED: ['OPEN', 'FAILED'],
  OPEN: ['CLOSED'],
  FAILED: [],
  CLOSED: [],
});

/** Whatever ends a request, nobody asks the provider for it any more. */
const update: StateMachine['update'] = setStatement<StateChange>(
  'update-virtual-account-states',
  stateChangeColumns,
  `update virtual_accounts v
      set status = rows.to_state, reason = rows.reason, updated_at = rows.created_at, due_at = null
     from :rows
    where v.merchant_id = rows.merchant_id and v.mode = rows.mode and v.id = rows.subject_id
      and v.status = rows.from_state`,
);

/** A request for an account number at a provider: opened once, or refused. */
export const virtualAccountStates: typeof machine = { ...machine, update };
