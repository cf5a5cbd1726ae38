import type { Movement, TransferDraft } from '../ledger/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError, isDatabaseAway } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { classifyDeduction } from './classify-line.ts';
import {
  type DeductionToPost,
  insertDeductionSettlements,
  listDeductionsToPost,
  listSettledDeductions,
} from './deduction-queries.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import { type ProviderSettlementRow, updateLinesCompared } from './queries.ts';
import { deductionSettlementView } from './views.ts';

/** A refund or a dispute is taken once under this key, however often its line is applied. */
const SETTLED = 'DEDUCTION_SETTLEMENT';

/** So many deductions are posted at the same time. */
const PIECE = 50;

const settledMeanwhile = () =>
  new AppError('conflict', 'DEDUCTION_ALREADY_SETTLED', 'A settlement took this refund or dispute already.');

/**
 * Posts deductions that agree, each of them only once. Their amount leaves the float and is owed by the provider again,
 * because the refund or dispute had taken it from what the provider owes. A line whose refund or dispute another
 * settlement took meanwhile says so, and nothing moves.
 * @param failed gets the errors of lines that could not be posted, so that the lines behind them have their turn.
 * @returns how many this call posted, and whether there are more.
 */
export async function settleDeductions(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  { limit, failed }: { limit: number; failed: unknown[] },
): Promise<{ posted: number; isDone: boolean }> {
  let posted = 0;
  let after = 0;
  for (let seen = 0; seen < limit; ) {
    const page = [settlement.id, after, Math.min(PIECE, limit - seen)];
    const lines = await deps.database.query(listDeductionsToPost, page);
    const last = lines.at(-1);
    if (last === undefined) break;
    posted += await postEach(lines, failed, (line) => settleDeduction(deps, settlement, line));
    seen += lines.length;
    after = last.line_number;
  }
  const [more] = await deps.database.query(listDeductionsToPost, [settlement.id, after, 1]);
  return { posted, isDone: more === undefined };
}

async function settleDeduction(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  line: DeductionToPost,
): Promise<boolean> {
  if (await tookBefore(deps, settlement, line)) return false;
  const movement = await movementOf(deps, settlement, line);
  try {
    await deps.ledger.commit(movement);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== settledMeanwhile().code) throw error;
    await tookBefore(deps, settlement, line);
    return false;
  }
}

/** Whether the refund or dispute was settled before, by this line or by another one, which the line then names. */
async function tookBefore(
  { database }: ProviderSettlementDeps,
  { mode }: ProviderSettlementRow,
  line: DeductionToPost,
): Promise<boolean> {
  const { merchant_id, subject_type, subject_id } = line;
  const [settled] = await database.query(listSettledDeductions, [[merchant_id], mode, [subject_type], [subject_id]]);
  if (settled === undefined || settled.line_id === line.id) return settled !== undefined;
  const compared = classifyDeduction(
    mode,
    {
      grossMinor: line.gross_minor,
      feeMinor: line.fee_minor,
      netMinor: line.net_minor,
      currency: line.currency,
      lineMode: line.line_mode,
    },
    { amountMinor: line.our_amount_minor, settledBy: settled.settled_by, sameAs: null },
  );
  const { settlement_id, id, payment_id, our_amount_minor, our_fee_minor, receivable_id } = line;
  const same = { merchant_id, payment_id, our_amount_minor, our_fee_minor, subject_type, subject_id, receivable_id };
  await database.run(updateLinesCompared, [
    write(updateLinesCompared, { settlement_id, id, was: line.result, ...compared, ...same }).row,
  ]);
  return true;
}

async function movementOf(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  line: DeductionToPost,
): Promise<Movement> {
  const id = newId();
  const at = deps.clock.now();
  const tenant = { merchantId: line.merchant_id, mode: settlement.mode };
  const settled = {
    merchant_id: line.merchant_id,
    mode: settlement.mode,
    subject_type: line.subject_type,
    subject_id: line.subject_id,
    id,
    settlement_id: settlement.id,
    line_id: line.id,
    receivable_id: line.receivable_id,
    amount_minor: -line.gross_minor,
    fee_minor: line.fee_minor,
    settled_at: at,
  };
  return {
    tenant,
    id,
    occurredAt: at.toISOString(),
    uniqueKeys: [{ scope: SETTLED, value: `${line.subject_type}/${line.subject_id}`, refusal: settledMeanwhile }],
    transfers: await transfersOf(deps, tenant, line),
    writes: [write(insertDeductionSettlements, settled)],
    events: [
      { id: newId(), type: 'collection.deducted', subjectId: id, data: jsonOf(deductionSettlementView(settled)) },
    ],
    answer: { message: 'The deduction is settled' },
  };
}

/** The provider owes again all that it kept back, except its fee, which is our cost. */
async function transfersOf(
  deps: ProviderSettlementDeps,
  tenant: Movement['tenant'],
  line: DeductionToPost,
): Promise<TransferDraft[]> {
  const { providerFloat } = await deps.wallets.requireTenantAccounts(tenant);
  const taken: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: line.receivable_id,
    creditAccountId: providerFloat,
    amountMinor: line.fee_minor - line.gross_minor,
    code: line.subject_type === 'REFUND' ? 'REFUND_SETTLEMENT' : 'DISPUTE_SETTLEMENT',
  };
  if (line.fee_minor === 0n) return [taken];
  const cost: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: await deps.collectionAccounts.providerCost(tenant),
    creditAccountId: line.receivable_id,
    amountMinor: line.fee_minor,
    code: 'PROVIDER_FEE',
  };
  return [taken, cost];
}

/** More failed lines than this in one call have a common cause. */
const MOST_FAILED = 100;

/**
 * Posts lines at the same time, each in its own movement: one that cannot be posted does not stop the others.
 * @param failed the errors of lines that were not posted, for a caller that throws one after all lines had their turn
 * @returns how many this call posted.
 * @throws the error that lines have in common: the database is away, or the first one where too many fail.
 */
export async function postEach<Line>(
  lines: readonly Line[],
  failed: unknown[],
  post: (line: Line) => Promise<boolean>,
): Promise<number> {
  const done = await Promise.allSettled(lines.map(post));
  for (const one of done) if (one.status === 'rejected') failed.push(one.reason);
  const shared = failed.length > MOST_FAILED ? failed[0] : failed.find(isDatabaseAway);
  if (shared !== undefined) throw shared as Error;
  return done.filter((one) => one.status === 'fulfilled' && one.value).length;
}
