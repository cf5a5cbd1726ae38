import type { Answer } from '../platform/answer.ts';
import { setStatementNamed, type Write } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { EventAnswer, EventDraft, Movement, ResolutionDraft, TransferCode, TransferDraft } from './movement.ts';

/**
 * The parts of a movement that are not data: functions that make refusals, and checks. A movement with one of them
 * stays in its process.
 */
const STAYS = [
  'uniqueKeys',
  'reservations',
  'releases',
  'limitUsages',
  'checks',
  'changes',
  'transitions',
  'firstSteps',
  'numbered',
] as const satisfies readonly (keyof Movement)[];

/**
 * A movement that is data alone, with an idempotency key: where it is committed twice, the second commit returns the
 * first answer.
 */
export function isPortable(movement: Movement): boolean {
  const keepsSome = movement.transfers?.some((draft) => 'keepMinor' in draft) ?? false;
  const isKeyed = (movement.idempotency?.key ?? null) !== null;
  return isKeyed && !keepsSome && STAYS.every((part) => (movement[part]?.length ?? 0) === 0);
}

type TransferText = [kind: 'POSTED' | 'PENDING', id: string, of: string | 0, string, string, string, string];
type ResolutionText = [kind: 'POST' | 'VOID', id: string, of: string | 0, string, string];
type WriteText = [statement: string, values: (string | number | boolean | null)[]];

interface MovementText {
  /** Merchant, mode, id, time, key, hash, request. */
  head: [string, Mode, string, string, string, string, string | 0];
  transfers: (TransferText | ResolutionText)[];
  writes: WriteText[];
  events: EventDraft[];
  answer: Answer | EventAnswer;
}

/** A portable movement as one line of JSON, for another process of this version. */
export function writeMovement({ tenant, id, occurredAt, idempotency, ...parts }: Movement): string {
  const { key = null, inputHash = '', requestId = 0 } = idempotency ?? {};
  const text: MovementText = {
    head: [tenant.merchantId, tenant.mode, id, occurredAt, key ?? '', inputHash, requestId],
    transfers: (parts.transfers ?? []).map(transferText),
    writes: (parts.writes ?? []).map(writeText),
    events: [...(parts.events ?? [])],
    answer: parts.answer,
  };
  return JSON.stringify(text);
}

/** @throws Error for an unknown statement: the other process is of another version. */
export function readMovement(line: string): Movement {
  const { head, transfers, writes, ...rest } = JSON.parse(line) as MovementText;
  const [merchantId, mode, id, occurredAt, key, inputHash, requestId] = head;
  return {
    tenant: { merchantId, mode },
    id,
    occurredAt,
    idempotency: { key, inputHash, ...(requestId === 0 ? {} : { requestId }) },
    transfers: transfers.map(transferOf),
    writes: writes.map(writeOf),
    ...rest,
  };
}

function transferText(draft: TransferDraft | ResolutionDraft): TransferText | ResolutionText {
  const { id, transactionId = 0 } = draft;
  if ('pendingId' in draft) return [draft.kind, id, transactionId, draft.pendingId, draft.pendingTransactionId];
  const { debitAccountId, creditAccountId, amountMinor, code } = draft;
  return [draft.kind, id, transactionId, debitAccountId, creditAccountId, String(amountMinor), code];
}

function transferOf([kind, id, of, first, second, amountMinor = '', code]: TransferText | ResolutionText) {
  const transactionId = of === 0 ? {} : { transactionId: of };
  if (kind === 'POST' || kind === 'VOID')
    return { kind, id, ...transactionId, pendingId: first, pendingTransactionId: second };
  const accounts = { debitAccountId: first, creditAccountId: second };
  return { kind, id, ...transactionId, ...accounts, amountMinor: BigInt(amountMinor), code: code as TransferCode };
}

function writeText({ into, row }: Write): WriteText {
  return [
    into.name,
    into.columns.map(({ name }) => {
      const value = row[name];
      if (value === undefined) throw new Error(`${into.name}: no value for column ${String(name)}`);
      if (typeof value === 'bigint') return String(value);
      return value instanceof Date ? value.toISOString() : value;
    }),
  ];
}

function writeOf([statement, values]: WriteText): Write {
  const into = setStatementNamed(statement);
  if (into === undefined) throw new Error(`there is no statement ${statement} in this process`);
  const row: Record<string, Write['row'][string]> = {};
  for (const [at, { name, type }] of into.columns.entries()) {
    const value = values[at] ?? null;
    row[name] = type === 'bigint' && value !== null ? BigInt(value) : value;
  }
  return { into, row };
}
