import { type CommitResult, type IdempotencyKey, joinParts } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { approvalVoided } from './batch-approval.ts';
import { changeBatch, touched, verdictOf } from './batch-change.ts';
import { withoutMatchWarning } from './check-item.ts';
import type { BatchDeps } from './deps.ts';
import { createBankFinder, type FindBank } from './find-bank.ts';
import {
  type ActionRow,
  insertActionItems,
  insertActions,
  insertItemsAgain,
  listActionItems,
  listGroupItems,
  listItemsOfIds,
  updateActions,
  updateActionsUndone,
  updateBatchesAction,
} from './group-queries.ts';
import { actionView } from './group-views.ts';
import { amountAsRead } from './item-text.ts';
import { problemsText } from './problems.ts';
import { type BatchRecord, deleteItems, type ItemRow, updateItemsCorrected } from './queries.ts';
import { changedFacts, invalidity, validMinorOf } from './update-item.ts';
import { batchView } from './views.ts';

/** Items that one movement changes: the books of a merchant are locked meanwhile, some hundredths of a second. */
const PIECE_ITEMS = 500;

/** What a `CHANGE` sets, the same for all items of the group. */
export interface GroupChange {
  bankCode?: string | undefined;
  narration?: string | undefined;
  /** Null removes it: a payout needs none. */
  phoneNumber?: string | null | undefined;
  /** Takes the amount from the text that was given. */
  amountAsRead?: true | undefined;
}

export type GroupDeps = Pick<BatchDeps, 'banks' | 'database' | 'ledger' | 'clock'>;

/** What a piece does to its items, as rows to write. */
interface Piece {
  /** The items as they were before. */
  before: readonly ItemRow[];
  writes: Write[];
  /** How much the number of items, of invalid ones, and the sum of the valid ones in kobo change. */
  items: number;
  invalid: number;
  validMinor: bigint;
  appliedTo: number;
  isLast: boolean;
}

export interface CommitPiece {
  /** Whether the action begins with it. */
  begins: boolean;
  idempotency?: IdempotencyKey | undefined;
  /** Until when the worker that carries it out has the batch. */
  leaseUntil?: Date;
}

/**
 * Commits the next piece of an action as one movement, with the next version of the batch. The last piece of an action
 * that needs no bank also decides the state of the batch; otherwise it is `VALIDATING`, and cannot be dispatched
 * meanwhile. An approval that the batch waits for is void.
 * @throws AppError 409 `BATCH_CHANGED`
 */
export async function commitPiece(
  deps: GroupDeps,
  batch: BatchRecord,
  action: ActionRow,
  { begins, idempotency, leaseUntil }: CommitPiece,
): Promise<{ result: CommitResult; batch: BatchRecord; action: ActionRow }> {
  const piece = action.kind === 'UNDO' ? await undoPiece(deps, batch, action) : await nextPiece(deps, batch, action);
  const at = deps.clock.now();
  const done_items = action.done_items + piece.before.length;
  const items = piece.isLast ? done_items : Math.max(action.items, done_items);
  const asksBanks = action.kind === 'CHANGE' || action.kind === 'CHECK_AGAIN';
  const rests = piece.isLast && !asksBanks && batch.status !== 'VALIDATING';
  const total = batch.item_count + piece.items;
  const verdict = verdictOf({ total, invalid: batch.invalid_items + piece.invalid });
  const dates = rests ? touched(at) : { due_at: leaseUntil ?? at, expires_at: touched(at).expires_at };
  const { after, movement } = changeBatch(
    { ...batch, approval_id: null },
    {
      at,
      ...(rests ? verdict : { to: 'VALIDATING' }),
      fields: { item_count: total, ...dates },
      validMinor: batch.valid_minor + piece.validMinor,
      event: 'batch.items_changed',
    },
  );
  const next: ActionRow = {
    ...action,
    items,
    done_items,
    applied_to: piece.appliedTo,
    batch_version: after.version,
    done_at: piece.isLast ? at : null,
  };
  const { merchant_id, mode, id } = batch;
  const action_id = piece.isLast ? null : action.id;
  const voided = await approvalVoided(deps, batch, 'BATCH_CHANGED', at);
  const result = await deps.ledger.commit({
    ...movement,
    ...joinParts(movement, voided, {
      writes: [
        write(updateBatchesAction, { merchant_id, mode, id, action_id }),
        begins ? write(insertActions, next) : write(updateActions, next),
        ...undoneWrites(next, begins, at),
        ...keptWrites(next, piece.before),
        ...piece.writes,
      ],
    }),
    idempotency,
    answer: success(MESSAGES[action.kind], { ...batchView(after), action: actionView(next) }),
  });
  return { result, batch: { ...after, action_id, looked_up_to: 0, silent_since: null }, action: next };
}

const MESSAGES: Readonly<Record<ActionRow['kind'], string>> = {
  ACCEPT: 'Warnings have been accepted',
  CHANGE: 'Bulk payout items have been updated',
  CHECK_AGAIN: 'Bulk payout items are being validated again',
  LEAVE_OUT: 'Bulk payout items have been removed',
  UNDO: 'The last change of a group has been undone',
};

function undoneWrites({ merchant_id, mode, batch_id, undoes }: ActionRow, begins: boolean, undone_at: Date): Write[] {
  return begins && undoes !== null
    ? [write(updateActionsUndone, { merchant_id, mode, batch_id, id: undoes, undone_at })]
    : [];
}

/** An undo cannot be undone, so it keeps nothing. */
function keptWrites({ merchant_id, mode, id, kind }: ActionRow, before: readonly ItemRow[]): Write[] {
  if (kind === 'UNDO') return [];
  const kept = (item: ItemRow) => ({
    ...{ merchant_id, mode, action_id: id, position: item.position },
    before: JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  });
  return before.map((item) => write(insertActionItems, kept(item)));
}

async function nextPiece(deps: GroupDeps, batch: BatchRecord, action: ActionRow): Promise<Piece> {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const before = await deps.database.query(listGroupItems, [
    ...[...key, action.code, action.cause, action.applied_to],
    PIECE_ITEMS,
  ]);
  const shared = {
    before,
    appliedTo: before.at(-1)?.position ?? action.applied_to,
    isLast: before.length < PIECE_ITEMS,
  };
  const invalid = sumOf(before, invalidity);
  const validMinor = validMinorOfAll(before);
  if (action.kind === 'LEAVE_OUT') {
    const writes = before.map(({ merchant_id, mode, id }) => write(deleteItems, { merchant_id, mode, id }));
    return { ...shared, writes, items: -before.length, invalid: -invalid, validMinor: -validMinor };
  }
  if (action.kind === 'ACCEPT') {
    const accepted = before.map((item) => ({ ...item, accepted: withCode(item.accepted, action.code ?? '') }));
    return {
      ...shared,
      writes: accepted.map((item) => write(updateItemsCorrected, item)),
      items: 0,
      invalid: 0,
      validMinor: 0n,
    };
  }
  const change = JSON.parse(action.change ?? '{}') as GroupChange;
  const findBank = createBankFinder(deps.banks);
  const changed = await Promise.all(before.map((item) => toBeChecked(item, change, findBank)));
  return {
    ...shared,
    writes: changed.map((item) => write(updateItemsCorrected, item)),
    items: 0,
    invalid: -invalid,
    validMinor: -validMinor,
  };
}

const sumOf = (items: readonly ItemRow[], of: (item: ItemRow) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

const validMinorOfAll = (items: readonly ItemRow[]): bigint =>
  items.reduce((sum, item) => sum + validMinorOf(item), 0n);

const withCode = (accepted: string | null, code: string): string =>
  JSON.stringify([...new Set([...(accepted === null ? [] : (JSON.parse(accepted) as string[])), code])]);

/** The item after an edit by hand, without the bank's answer, which is asked for together with all the others. */
async function toBeChecked(
  item: ItemRow,
  { bankCode, narration, phoneNumber, amountAsRead: asRead }: GroupChange,
  findBank: FindBank,
): Promise<ItemRow> {
  const facts = await changedFacts(item, { bankCode, narration, phoneNumber }, findBank);
  const amountMinor = asRead === true && item.given_amount !== null ? amountAsRead(item.given_amount) : undefined;
  return {
    ...item,
    ...facts,
    ...(amountMinor === undefined
      ? {}
      : { amount_minor: amountMinor, given_amount: null, item_warnings: warningsBeside(item, 'amount') }),
    ...{ account_name: null, bank_name: null, match_score: null, is_valid: false, item_errors: null },
    ...{ directory_bank_code: null, repeats: null, accepted: null, validated_at: null },
  };
}

const warningsBeside = ({ item_warnings }: ItemRow, field: string): string | null =>
  problemsText(withoutMatchWarning(item_warnings).filter((problem) => problem.field !== field));

async function undoPiece(deps: GroupDeps, batch: BatchRecord, action: ActionRow): Promise<Piece> {
  const { merchant_id, mode } = batch;
  const kept = await deps.database.query(listActionItems, [
    ...[merchant_id, mode, action.undoes, action.applied_to],
    PIECE_ITEMS,
  ]);
  const back = kept.map(({ before }) => itemOf(before));
  const ids = back.map(({ id }) => id);
  const there = await deps.database.query(listItemsOfIds, [merchant_id, mode, ids]);
  const stays = new Set(there.map(({ id }) => id));
  return {
    before: back,
    writes: back.map((item) =>
      stays.has(item.id) ? write(updateItemsCorrected, item) : write(insertItemsAgain, item),
    ),
    items: back.length - there.length,
    invalid: sumOf(back, invalidity) - sumOf(there, invalidity),
    validMinor: validMinorOfAll(back) - validMinorOfAll(there),
    appliedTo: kept.at(-1)?.position ?? action.applied_to,
    isLast: kept.length < PIECE_ITEMS,
  };
}

type KeptItem = Omit<ItemRow, 'amount_minor' | 'validated_at' | 'created_at'> & {
  amount_minor: string;
  validated_at: string | null;
  created_at: string;
};

function itemOf(before: string): ItemRow {
  const { amount_minor, validated_at, created_at, ...item } = JSON.parse(before) as KeptItem;
  return {
    ...item,
    amount_minor: BigInt(amount_minor),
    validated_at: validated_at === null ? null : new Date(validated_at),
    created_at: new Date(created_at),
  };
}
