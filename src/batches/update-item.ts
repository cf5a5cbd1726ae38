import { type CommitResult, type IdempotencyKey, joinParts } from '../ledger/index.ts';
import { plainText } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { listView, numbered, readList } from '../platform/lists/read-list.ts';
import type { ProblemData } from '../platform/problem.ts';
import type { Tenant } from '../platform/tenant.ts';
import { approvalVoided } from './batch-approval.ts';
import { changeBatch, touched, verdictOf } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import { checkItem, type ItemFacts, openCheck, withoutMatchWarning } from './check-item.ts';
import { repeatOfItem } from './check-repeats.ts';
import type { BatchDeps } from './deps.ts';
import { batchActionRunning, batchChanged, batchClosed, itemChanged, itemNotFound } from './errors.ts';
import { createBankFinder, type FindBank } from './find-bank.ts';
import { AS_GIVEN, itemList } from './item-queries.ts';
import { cleanText, parseItemAmount, readAccount, readPhone } from './item-text.ts';
import { type ListColumn, problemsText } from './problems.ts';
import { type BatchRecord, deleteItems, findBatch, findItem, type ItemRow, updateItemsCorrected } from './queries.ts';
import { earlierOf } from './read-batches.ts';
import { itemView } from './views.ts';

/** Attempts at one change against changes of the same batch by other processes. */
const MAX_ATTEMPTS = 5;
/** The page that the interface returns for a corrected item. */
const FIRST_PAGE = { page: 1, size: 50 };

/** A field that is left out stays as it is; `amount` in naira, with at most two decimals. */
export interface ItemChanges {
  amount?: number | undefined;
  bankCode?: string | undefined;
  accountNumber?: string | undefined;
  accountName?: string | undefined;
  narration?: string | undefined;
  /** Null and an empty text take it away. */
  phoneNumber?: string | null | undefined;
}

export interface UpdateItemInput {
  tenant: Tenant;
  itemId: string;
  changes: ItemChanges;
  /** What the fields held when the client read them. */
  seen?: ItemChanges | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Changes an item, asks the bank again, and answers with the first page of the batch's records and the item itself. The
 * answer is kept under the idempotency key in the movement that changes the item. An approval that the batch waits for
 * is void from then on.
 * @throws AppError `VALIDATION_FAILED` for an amount that is finer than a kobo; `BATCH_ITEM_NOT_FOUND`; 409 once the batch
 *   is dispatched, cancelled or expired, `BATCH_CHANGED`, and `BATCH_ITEM_CHANGED` where a field is not as it was seen.
 */
export async function updateItem(deps: BatchDeps, input: UpdateItemInput): Promise<CommitResult> {
  return changeItem(deps, input, 'batch.item_updated', async (batch, item) => {
    const findBank = createBankFinder(deps.banks);
    const facts = await changedFacts(item, input.changes, findBank);
    if (input.seen !== undefined) requireSeen(item, input, await changedFacts(item, input.seen, findBank), facts);
    const { check } = await checkItem(deps, await openCheck(deps, batch), facts);
    const changed = { ...item, ...facts, ...check, validated_at: deps.clock.now() };
    const repeats = changed.is_valid ? await repeatOfItem(deps, batch, changed) : null;
    // A warning was accepted for the row as it was.
    const after: ItemRow = { ...changed, repeats, accepted: null };
    return { after, write: write(updateItemsCorrected, after), message: 'Bulk payout item has been updated' };
  });
}

export type DropItemInput = Omit<UpdateItemInput, 'changes' | 'seen'>;

/** Removes an item from its batch. Answers with the first page. @throws AppError as `updateItem`. */
export async function dropItem(deps: BatchDeps, input: DropItemInput): Promise<CommitResult> {
  return changeItem(deps, input, 'batch.item_dropped', async (_batch, { merchant_id, mode, id }) => ({
    after: undefined,
    write: write(deleteItems, { merchant_id, mode, id }),
    message: 'Bulk payout item has been removed',
  }));
}

interface ItemChange {
  /** Undefined: it is removed. */
  after: ItemRow | undefined;
  write: Write;
  message: string;
}

type MakeChange = (batch: BatchRecord, item: ItemRow) => Promise<ItemChange>;

/** Against a dispatch at the same moment, whichever takes the batch's next version first wins. */
async function changeItem(
  deps: BatchDeps,
  input: DropItemInput,
  event: string,
  make: MakeChange,
): Promise<CommitResult> {
  const earlier = input.idempotency && (await deps.ledger.findAnswer(input.tenant, input.idempotency));
  if (earlier !== undefined) return earlier;
  const { batch } = await readItemAndBatch(deps, input);
  return deps.inTurn(batch.id, async () => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await tryChange(deps, input, event, make);
      } catch (error) {
        const collided = error instanceof AppError && (error.retryable || error.code === 'BATCH_CHANGED');
        // A refusal that is kept under a key is what every repetition of the request gets.
        if (!collided || error.kept === true || attempts >= MAX_ATTEMPTS) throw error;
      }
    }
  });
}

async function tryChange(
  deps: BatchDeps,
  input: DropItemInput,
  event: string,
  make: MakeChange,
): Promise<CommitResult> {
  // The batch with its version is read before anything that decides: any later change takes the version.
  const { batch, item } = await readItemAndBatch(deps, input);
  const change = await make(batch, item);
  const at = deps.clock.now();
  const total = batch.item_count - (change.after === undefined ? 1 : 0);
  const invalid = batch.invalid_items - invalidity(item) + (change.after === undefined ? 0 : invalidity(change.after));
  const validMinor =
    batch.valid_minor - validMinorOf(item) + (change.after === undefined ? 0n : validMinorOf(change.after));
  const stillValidating = batch.status === 'VALIDATING';
  const { movement } = changeBatch(
    { ...batch, approval_id: null },
    {
      at,
      ...(stillValidating ? {} : verdictOf({ total, invalid })),
      fields: {
        item_count: total,
        ...(stillValidating ? { expires_at: touched(at).expires_at } : touched(at)),
      },
      validMinor,
      event,
    },
  );
  const voided = await approvalVoided(deps, batch, 'BATCH_CHANGED', at);
  const answer = success(change.message, await firstPageAfter(deps, batch, item, change.after));
  await requireUnchanged(deps, batch);
  return deps.ledger.commit({
    ...movement,
    ...joinParts(movement, voided, { writes: [change.write] }),
    idempotency: input.idempotency,
    answer,
  });
}

/** The bank was asked meanwhile. Most collisions show here, where no refusal has been kept under a key yet. */
async function requireUnchanged(deps: BatchDeps, batch: BatchRecord): Promise<void> {
  const [now] = await deps.database.query(findBatch, [batch.merchant_id, batch.mode, batch.id]);
  if (now?.version !== batch.version) throw batchChanged();
}

/** The page as the change leaves it: as it is now, with the one item as it will be. */
async function firstPageAfter(deps: BatchDeps, batch: BatchRecord, item: ItemRow, after: ItemRow | undefined) {
  const list = itemList(batch);
  // One row more than is shown, in place of a removed one, and one to see whether there are more.
  const { rows } = await readList(deps.database, list, { page: 1, size: FIRST_PAGE.size + 2 });
  const changed = rows
    .filter((row) => after !== undefined || row.id !== item.id)
    .map((row) => (row.id === item.id && after !== undefined ? { ...row, ...after } : row));
  const counted = batch.item_count - (after === undefined ? 1 : 0);
  const found = numbered({ ...list, order: AS_GIVEN }, { ...FIRST_PAGE, counted, goesBack: false }, changed);
  const earlier = await earlierOf(deps.database, batch, [...changed, item]);
  const page = listView(found, (row) => itemView(batch, row, earlier(row)));
  if (after === undefined) return page;
  return { ...page, item: itemView(batch, { ...after, payout_status: null, payout_reason: null }, earlier(after)) };
}

/** The item as it is at the version of the batch, or later: then the version is taken. */
async function readItemAndBatch(deps: BatchDeps, { tenant, itemId }: DropItemInput) {
  const key = [tenant.merchantId, tenant.mode];
  const [found] = await deps.database.query(findItem, [...key, itemId]);
  // Without a batch it is a row of an upload that is still coming in.
  const [batch] = found === undefined ? [] : await deps.database.query(findBatch, [...key, found.batch_id]);
  if (batch === undefined) throw itemNotFound();
  if (!isOpen(batch.status)) throw batchClosed(batch.status);
  if (batch.action_id !== null) throw batchActionRunning();
  const [item] = await deps.database.query(findItem, [...key, itemId]);
  if (item === undefined) throw itemNotFound();
  return { batch, item };
}

const FACT_OF = {
  amount: 'amount_minor',
  bankCode: 'bank_code',
  accountNumber: 'account_number',
  accountName: 'given_name',
  narration: 'narration',
  phoneNumber: 'phone_number',
} as const satisfies Record<keyof ItemChanges, keyof ItemFacts>;

/** A field that already holds its new value is no conflict: the change was made, and its answer was lost. */
function requireSeen(
  item: ItemRow,
  { changes, seen = {} }: Pick<UpdateItemInput, 'changes' | 'seen'>,
  before: ItemFacts,
  after: ItemFacts,
): void {
  const fields = Object.keys(FACT_OF) as (keyof ItemChanges)[];
  const others = fields.filter((field) => {
    const fact = FACT_OF[field];
    const holds = item[fact] ?? '';
    const isMade = changes[field] !== undefined && holds === (after[fact] ?? '');
    return !isMade && holds !== (before[fact] ?? '') && holds !== seen[field];
  });
  if (others.length === 0) return;
  throw itemChanged(
    others.map((field) => ({
      field,
      holds: field === 'amount' ? plainText(item.amount_minor) : (item[FACT_OF[field]]?.toString() ?? ''),
    })),
  );
}

/**
 * The item with what is entered, read and corrected as a cell of a list is. A warning goes once its field is entered anew; one
 * of the whole row goes once somebody enters who gets how much.
 */
export async function changedFacts(item: ItemRow, changes: ItemChanges, findBank: FindBank): Promise<ItemFacts> {
  const noticed: ProblemData[] = [];
  const clean = (given: string | null | undefined, column: ListColumn) => cleanText(given ?? '', column, noticed);
  const notice = <T extends { complaint?: ProblemData; warning?: ProblemData }>(read: T): T => {
    noticed.push(...[read.complaint, read.warning].filter((problem) => problem !== undefined));
    return read;
  };
  const { amount, bankCode, accountNumber, accountName, narration, phoneNumber } = changes;
  const facts = {
    amount_minor: amount === undefined ? item.amount_minor : parseItemAmount(amount),
    given_amount: amount === undefined ? item.given_amount : null,
    bank_code: bankCode === undefined ? item.bank_code : notice(await findBank(clean(bankCode, 'bankCode'), '')).code,
    account_number:
      accountNumber === undefined
        ? item.account_number
        : notice(readAccount(clean(accountNumber, 'accountNumber'), { isTyped: true })).accountNumber,
    narration: narration === undefined ? item.narration : clean(narration, 'narration'),
    phone_number: phoneNumber === undefined ? item.phone_number : readPhone(clean(phoneNumber, 'phoneNumber'), noticed),
    given_name: accountName === undefined ? item.given_name : clean(accountName, 'accountName') || null,
  };
  const othersPaid =
    facts.amount_minor !== item.amount_minor ||
    facts.bank_code !== item.bank_code ||
    facts.account_number !== item.account_number;
  const before = withoutMatchWarning(item.item_warnings).filter(({ field }) =>
    field === null ? !othersPaid : changes[field as keyof ItemChanges] === undefined,
  );
  return { ...facts, item_warnings: problemsText([...before, ...noticed]) };
}

export const invalidity = (item: Pick<ItemRow, 'is_valid' | 'validated_at'>) =>
  item.validated_at !== null && !item.is_valid ? 1 : 0;

/** The part of an item in the sum of its batch's valid items, in kobo. */
export const validMinorOf = (item: Pick<ItemRow, 'is_valid' | 'amount_minor'>): bigint =>
  item.is_valid ? item.amount_minor : 0n;
