import { among, type SetStatement, type Statement, setStatement, statement } from '../platform/db/statement.ts';

/** A row of `state_changes`, with what the update of a state needs. */
export interface StateChange {
  merchant_id: string;
  mode: string;
  subject: string;
  subject_id: string;
  id: string;
  from_state: string;
  to_state: string;
  reason: string | null;
  created_at: string;
}

/**
 * A state machine over one database table that has `status`, `reason` and `updated_at`: its states, and the transitions
 * between them. The ledger locks the rows, checks the from-state, and writes the update and a history row.
 */
export interface StateMachine<State extends string = string> {
  readonly subject: string;
  readonly transitions: Readonly<Record<State, readonly State[]>>;
  readonly lock: Statement<{ id: string; merchant_id: string; state: string }>;
  readonly update: SetStatement<StateChange>;
}

export const stateChangeColumns = {
  merchant_id: 'uuid',
  mode: 'text',
  subject: 'text',
  subject_id: 'uuid',
  id: 'uuid',
  from_state: 'text',
  to_state: 'text',
  reason: 'text',
  created_at: 'timestamptz',
} as const;

export function stateMachine<State extends string>(
  subject: string,
  table: string,
  transitions: Readonly<Record<State, readonly State[]>>,
): StateMachine<State> {
  return {
    subject,
    transitions,
    lock: statement(
      `lock-${subject}-states`,
      `select t.id, t.merchant_id, t.status as state
         from ${table} t
         join unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (merchant_id, mode, id)
           on t.merchant_id = wanted.merchant_id and t.mode = wanted.mode and t.id = wanted.id
        where ${among('t.merchant_id', 4)}
        order by t.merchant_id, t.id
          for update of t`,
    ),
    update: setStatement<StateChange>(
      `update-${subject}-states`,
      stateChangeColumns,
      `update ${table} t
          set status = rows.to_state, reason = rows.reason, updated_at = rows.created_at
         from :rows
        where t.merchant_id = rows.merchant_id and t.mode = rows.mode and t.id = rows.subject_id
          and t.status = rows.from_state`,
    ),
  };
}

/** Whether no step leads on from a state: a client may act on it as final. */
export function isFinal<State extends string>(machine: StateMachine<State>, state: State): boolean {
  return machine.transitions[state].length === 0;
}

/** Whether the machine has this step. An unknown step is a defect of the caller, not bad input. */
export function allows<State extends string>(machine: StateMachine<State>, from: State, to: State): boolean {
  return machine.transitions[from]?.includes(to) ?? false;
}
