import type { DeductionFacts, DeductionOwner } from '../collections/index.ts';
import { write } from '../platform/db/statement.ts';
import { classifyDeduction, type SubjectFacts } from './classify-line.ts';
import {
  type DeductionLine,
  type DeductionSettlementRow,
  listDeductionsToCompare,
  listLinesOfSubjects,
  listSettledDeductions,
  listSubjectsOfOthers,
} from './deduction-queries.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import { type ComparedLine, NOBODYS, type ProviderSettlementRow, updateLinesCompared } from './queries.ts';

/** Deductions compared at once; so many refunds and disputes are asked about at a time. */
const PIECE = 100;

type Settled = DeductionSettlementRow & { settled_by: string };

/** What the lines of one settlement, and all settlements before it, took already or are to take. */
interface Taken {
  settled: Map<string, Settled>;
  /** The number of the line, by subject. */
  lines: Map<string, number>;
  /** Subjects of lines of settlements that are not applied yet. */
  elsewhere: Set<string>;
}

/**
 * Compares a settlement's deductions with our refunds and disputes. No money moves. Deductions without an owner are
 * compared each time: a refund may have come to the books since.
 */
export async function compareDeductions(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
): Promise<void> {
  for (let after = 0; ; ) {
    const lines = await deps.database.query(listDeductionsToCompare, [settlement.id, after, PIECE]);
    const last = lines.at(-1);
    if (last === undefined) return;
    const first = await Promise.all(lines.map((line) => ownerOf(deps, settlement, line, [])));
    const compared: ComparedLine[] = [];
    const taken: Taken = { settled: new Map(), lines: new Map(), elsewhere: new Set() };
    await learn(deps, settlement, first, taken);
    for (const [at, line] of lines.entries()) {
      const row = await comparedDeduction(deps, settlement, { line, owner: first[at], taken });
      if (row.result === 'DEDUCTION_MATCHED' && row.subject_id !== null) {
        taken.lines.set(row.subject_id, line.line_number);
      }
      compared.push(row);
    }
    await deps.database.run(
      updateLinesCompared,
      compared.map((row) => write(updateLinesCompared, row).row),
    );
    after = last.line_number;
  }
}

async function ownerOf(
  { deductionOwners }: ProviderSettlementDeps,
  { rail, mode }: ProviderSettlementRow,
  line: DeductionLine,
  except: readonly string[],
): Promise<DeductionOwner | undefined> {
  const facts: DeductionFacts = {
    rail,
    mode,
    kind: line.deduction === 'OTHER' ? null : line.deduction,
    providerTransactionId: line.provider_transaction_id,
    sessionId: line.session_id,
    reference: line.reference,
    amountMinor: -line.gross_minor,
    except,
  };
  for (const find of deductionOwners) {
    const owner = await find(facts);
    // An answer of the other mode would move money of the other books.
    if (owner !== undefined && owner.tenant.mode === mode) return owner;
  }
  return undefined;
}

async function learn(
  { database }: ProviderSettlementDeps,
  { id, rail, mode }: ProviderSettlementRow,
  owners: readonly (DeductionOwner | undefined)[],
  taken: Taken,
): Promise<void> {
  const known = owners.filter((owner) => owner !== undefined);
  if (known.length === 0) return;
  const subjects = known.map(({ subjectId }) => subjectId);
  const [settled, lines, elsewhere] = await Promise.all([
    database.query(listSettledDeductions, [
      known.map(({ tenant }) => tenant.merchantId),
      mode,
      known.map(({ subjectType }) => subjectType),
      subjects,
    ]),
    database.query(listLinesOfSubjects, [id, subjects]),
    database.query(listSubjectsOfOthers, [id, rail, mode, subjects]),
  ]);
  for (const row of settled) taken.settled.set(row.subject_id, row);
  for (const { subject_id, line_number } of lines) taken.lines.set(subject_id, line_number);
  for (const { subject_id } of elsewhere) taken.elsewhere.add(subject_id);
}

/**
 * Where the subject belongs to another line, one of its siblings is asked for, until there is none. The same where
 * another settlement is to take it; but if that is never applied, as a wrong file is not, it belongs to this line: so
 * where no sibling agrees, it stays.
 */
async function comparedDeduction(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  { line, owner, taken }: { line: DeductionLine; owner: DeductionOwner | undefined; taken: Taken },
): Promise<ComparedLine> {
  const isTaken = (id: string) => taken.settled.has(id) || taken.lines.has(id);
  const except: string[] = [];
  let candidate = owner;
  let shared: DeductionOwner | undefined;
  while (candidate !== undefined && (isTaken(candidate.subjectId) || taken.elsewhere.has(candidate.subjectId))) {
    if (!isTaken(candidate.subjectId)) shared ??= candidate;
    except.push(candidate.subjectId);
    const next = await ownerOf(deps, settlement, line, except);
    if (next !== undefined && except.includes(next.subjectId)) break;
    if (next !== undefined) await learn(deps, settlement, [next], taken);
    candidate = next;
  }
  const row = comparedTo(settlement, line, candidate ?? shared ?? owner, taken);
  return row.result === 'DEDUCTION_MATCHED' || shared === undefined ? row : comparedTo(settlement, line, shared, taken);
}

function comparedTo(
  { mode }: ProviderSettlementRow,
  line: DeductionLine,
  owner: DeductionOwner | undefined,
  taken: Taken,
): ComparedLine {
  const { gross_minor, fee_minor, net_minor, currency, line_mode } = line;
  const facts = { grossMinor: gross_minor, feeMinor: fee_minor, netMinor: net_minor, currency, lineMode: line_mode };
  const settled = owner && taken.settled.get(owner.subjectId);
  const subject: SubjectFacts | undefined = owner && {
    amountMinor: owner.amountMinor,
    differs: owner.differs,
    settledBy: settled === undefined || settled.line_id === line.id ? null : settled.settled_by,
    sameAs: taken.lines.get(owner.subjectId) ?? null,
  };
  return {
    settlement_id: line.settlement_id,
    id: line.id,
    was: line.result,
    ...classifyDeduction(mode, facts, subject),
    merchant_id: owner?.tenant.merchantId ?? null,
    payment_id: null,
    our_amount_minor: owner?.amountMinor ?? null,
    our_fee_minor: null,
    ...(owner === undefined
      ? NOBODYS
      : { subject_type: owner.subjectType, subject_id: owner.subjectId, receivable_id: owner.receivableId }),
  };
}
