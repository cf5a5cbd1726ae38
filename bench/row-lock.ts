import type { CommitResult, Ledger, Movement, TransferDraft } from '../src/ledger/index.ts';
import { successJson } from '../src/platform/answer.ts';
import { type Database, violatedUnique } from '../src/platform/db/database.ts';
import { type Statement, statement } from '../src/platform/db/statement.ts';
import { AppError } from '../src/platform/errors.ts';

interface Locked {
  id: string;
  booked_minor: bigint;
  available_minor: bigint;
  sequence: bigint;
}

const lockTwoAccounts = statement<Locked>(
  'bench-lock-two-accounts',
  `select id, credits_posted_minor - debits_posted_minor as booked_minor,
          credits_posted_minor - debits_posted_minor - debits_pending_minor as available_minor, sequence
     from accounts
    where merchant_id = $1 and mode = $2 and id in ($3, $4)
    order by id
      for update`,
);

const takeEventSequence = statement<{ event_sequence: bigint }>(
  'bench-take-event-sequence',
  `update books set event_sequence = event_sequence + 1 where merchant_id = $1 and mode = $2 returning event_sequence`,
);

const debitAccount = statement(
  'bench-debit-account',
  `update accounts set debits_posted_minor = debits_posted_minor + $3, sequence = sequence + 1
    where merchant_id = $1 and id = $2`,
);

const creditAccount = statement(
  'bench-credit-account',
  `update accounts set credits_posted_minor = credits_posted_minor + $3, sequence = sequence + 1
    where merchant_id = $1 and id = $2`,
);

/**
 * One movement of one transfer as one transaction of its own: lock both accounts in id order, take the event's number,
 * decide, write the same rows that the ledger writes, commit. The locks are held for two round trips: the rows and the
 * COMMIT are sent together, as the service sends them, which makes it about twice as fast as one statement at a time.
 */
export async function commitUnderRowLocks(
  database: Database,
  ledger: Pick<Ledger, 'findAnswer'>,
  movement: Movement,
): Promise<CommitResult> {
  try {
    return await database.transaction(async (tx) => {
      const { merchantId, mode } = movement.tenant;
      const [transfer] = movement.transfers as readonly [TransferDraft];
      const { debitAccountId, creditAccountId, amountMinor } = transfer;
      const [accounts, books] = await Promise.all([
        tx.query(lockTwoAccounts, [merchantId, mode, debitAccountId, creditAccountId]),
        tx.query(takeEventSequence, [merchantId, mode]),
      ]);
      const debit = accounts.find(({ id }) => id === debitAccountId);
      const credit = accounts.find(({ id }) => id === creditAccountId);
      const sequence = books[0]?.event_sequence;
      if (debit === undefined || credit === undefined || sequence === undefined) throw new Error('no such accounts');
      if (debit.available_minor < amountMinor)
        throw new AppError('refused', 'INSUFFICIENT_FUNDS', 'Insufficient funds.');
      const rows = rowsOf(movement, transfer, { debit, credit, sequence });
      void tx.query(debitAccount, [merchantId, debitAccountId, amountMinor]);
      void tx.query(creditAccount, [merchantId, creditAccountId, amountMinor]);
      for (const [table, row] of rows) void tx.query(insertInto(table, row), Object.values(row));
      return { answer: successJson(messageOf(movement), movement.events?.[0]?.data ?? 'null'), replayed: false };
    });
  } catch (error) {
    if (violatedUnique(error) !== 'idempotency_keys_pk' || movement.idempotency === undefined) throw error;
    const earlier = await ledger.findAnswer(movement.tenant, movement.idempotency);
    if (earlier === undefined) throw error;
    return earlier;
  }
}

type Row = Record<string, unknown>;

function rowsOf(
  movement: Movement,
  transfer: TransferDraft,
  locked: { debit: Locked; credit: Locked; sequence: bigint },
): [table: string, row: Row][] {
  const scope = { merchant_id: movement.tenant.merchantId, mode: movement.tenant.mode };
  const created_at = movement.occurredAt;
  const rows: [string, Row][] = [
    ['transfers', { ...scope, ...transferColumns(movement, transfer, locked), created_at }],
  ];
  for (const { row } of movement.writes ?? []) rows.push(['transactions', row]);
  for (const { id, type, subjectId, data } of movement.events ?? []) {
    const event = { sequence: locked.sequence, id, type, subject_id: subjectId, data };
    rows.push(['event_rows', { ...scope, ...event, idempotency_key: movement.idempotency?.key ?? null, created_at }]);
  }
  if (movement.idempotency !== undefined) {
    const { key, inputHash } = movement.idempotency;
    const answer = { answer_status: 200, answer_message: messageOf(movement), event_sequence: locked.sequence };
    const asked = { key, input_hash: inputHash, transaction_id: movement.id };
    rows.push(['idempotency_keys', { ...scope, ...asked, ...answer, created_at }]);
  }
  return rows;
}

function transferColumns(
  movement: Movement,
  transfer: TransferDraft,
  { debit, credit }: { debit: Locked; credit: Locked },
): Row {
  return {
    transaction_id: movement.id,
    id: transfer.id,
    kind: transfer.kind,
    debit_account_id: transfer.debitAccountId,
    credit_account_id: transfer.creditAccountId,
    amount_minor: transfer.amountMinor,
    currency: 'NGN',
    code: transfer.code,
    debit_sequence: debit.sequence + 1n,
    credit_sequence: credit.sequence + 1n,
    debit_balance_minor: debit.booked_minor - transfer.amountMinor,
    credit_balance_minor: credit.booked_minor + transfer.amountMinor,
  };
}

function messageOf({ answer }: Movement): string {
  if ('body' in answer) throw new Error('this server answers from the event');
  return answer.message;
}

const inserts = new Map<string, Statement<unknown>>();

/** One row by values: for a single row that costs the server less than arrays. */
function insertInto(table: string, row: Row): Statement<unknown> {
  const known = inserts.get(table);
  if (known !== undefined) return known;
  const columns = Object.keys(row);
  const values = columns.map((_, at) => `$${at + 1}`).join(', ');
  const made = statement<unknown>(
    `bench-insert-${table}`,
    `insert into ${table} (${columns.join(', ')}) values (${values})`,
  );
  inserts.set(table, made);
  return made;
}
