import { countKeysWithoutMaker } from '../access/index.ts';
import type { CommitResult, IdempotencyKey, Movement } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  DEFAULT_TIERS,
  decidersNeeded,
  FOR_EVER_MS,
  RULES_WAIT,
  type Rules,
  readRulesNow,
  type Tier,
  tiersText,
} from './approval-rules.ts';
import { type Clearance, type Maker, withClearance } from './clearance.ts';
import type { ApprovalDeps } from './decide-approval.ts';
import { listDeciders } from './deciders.ts';
import { approvalRulesChanged, approversMissing, changeWaits, rulesUnchanged } from './errors.ts';
import { followRulesOf, newRulesParts } from './follow-rules.ts';
import { findRulesWaiting } from './queries.ts';
import { requestApproval } from './request-approval.ts';
import { type ShownLine, shownLine } from './shown-lines.ts';
import { rulesView } from './views.ts';

export interface ChangeRulesInput {
  tenant: Tenant;
  maker: Maker;
  /** Unchanged where it is left out; the tiers too. */
  isEnabled: boolean | undefined;
  tiers: readonly Tier[] | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Changes how many people what needs, in both modes. While approvals are on, the change itself needs as many people as
 * the strictest rule in force. Approvals that wait keep what they need.
 * @throws AppError 400 for rules that contradict themselves; 409 `APPROVAL_RULES_UNCHANGED`, `APPROVAL_WAITS`; 422
 *   `APPROVERS_MISSING`.
 */
export async function changeRules(deps: ApprovalDeps, input: ChangeRulesInput): Promise<CommitResult> {
  const { tenant, maker, idempotency } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  // After a crash, a version may be in force in one mode alone: first the other mode gets it, so that this change is
  // decided by it.
  await followRulesOf(deps, tenant.merchantId);
  deps.approvalRules.forget(tenant);
  const question = { tenant, kind: 'RULES' as const, amountMinor: null, maker };
  const result = await withClearance(deps, question, async (clearance) => {
    const before = await readRulesNow(deps.database, tenant);
    // The approval was asked for by the replaced version: otherwise a change that needed no approval could end rules
    // that came meanwhile.
    if (before.version !== clearance.rulesVersion) throw approvalRulesChanged();
    const after = await checkedRules(deps, before, input);
    const rulesInForce = await readRulesInForce({ queries: deps.database, clock: deps.clock }, tenant);
    const movement = movementOf(deps, input, { clearance, before, after, rulesInForce });
    return deps.ledger.commit(movement);
  });
  await rulesCommitted(deps, tenant);
  return result;
}

/** Every process uses new rules at once where it commits; this one also where it reads. The other mode follows. */
export async function rulesCommitted(deps: ApprovalDeps, tenant: Tenant): Promise<void> {
  deps.approvalRules.forget(tenant);
  await followRulesOf(deps, tenant.merchantId).catch((error: unknown) => {
    // A worker does it again.
    deps.logger.warn({ err: error, merchantId: tenant.merchantId }, 'approval rules of the other mode will follow');
  });
}

interface Change {
  clearance: Clearance;
  before: Rules;
  after: Rules;
  rulesInForce: RulesInForce;
}

function movementOf(deps: ApprovalDeps, input: ChangeRulesInput, change: Change): Movement {
  const { tenant, maker, idempotency } = input;
  const { clearance, before, after, rulesInForce } = change;
  const at = deps.clock.now();
  const base = { tenant, id: newId(), occurredAt: at.toISOString(), idempotency };
  if (clearance.kind === 'CLEARED') {
    const parts = newRulesParts(tenant, after, { at, madeBy: maker.personId, approvalId: null });
    const answer = success('Approval rules changed', { ...rulesView(after), ...rulesInForce, approvalId: null });
    return { ...base, ...parts, answer };
  }
  const { approval, parts } = requestApproval(clearance, {
    subjectId: after.id,
    title: after.isEnabled ? 'Change the approval rules' : 'Switch approvals off',
    amountMinor: null,
    chargesMinor: null,
    shown: shownChange(before, after),
    payload: { instead: before.id, isEnabled: after.isEnabled, tiers: tiersText(after.tiers) },
    at,
  });
  const waits = {
    ...RULES_WAIT,
    subjectId: approval.id,
    withinMs: FOR_EVER_MS,
    refusal: () => changeWaits('the rules'),
  };
  const view = { ...rulesView(before), ...rulesInForce, approvalId: approval.id };
  return {
    ...base,
    ...parts,
    reservations: [...(parts.reservations ?? []), waits],
    answer: success('The change waits for approval', view),
  };
}

async function checkedRules(deps: ApprovalDeps, before: Rules, input: ChangeRulesInput): Promise<Rules> {
  const isEnabled = input.isEnabled ?? before.isEnabled;
  const kept = before.tiers.length === 0 ? DEFAULT_TIERS : before.tiers;
  const tiers = input.tiers === undefined ? kept : sortedTiers(input.tiers);
  const sameTiers = input.tiers === undefined || tiersText(tiers) === tiersText(before.tiers);
  if (isEnabled === before.isEnabled && sameTiers) throw rulesUnchanged();
  const after = { version: before.version + 1, id: newId(), isEnabled, tiers };
  await requireDeciders(deps.database, input.tenant.merchantId, after);
  return after;
}

function sortedTiers(tiers: readonly Tier[]): Tier[] {
  const sorted = [...tiers].sort((a, b) => (a.fromMinor < b.fromMinor ? -1 : 1));
  sorted.forEach((tier, at) => {
    const below = sorted[at - 1];
    if (tier.fromMinor < 0n) throw invalidField('rules', 'must have no fromAmount below zero');
    if (below === undefined) return;
    if (below.fromMinor === tier.fromMinor) throw invalidField('rules', 'must have each fromAmount once');
    if (below.approvals > tier.approvals)
      throw invalidField('rules', 'must ask for at least as many approvals of a higher amount');
  });
  return sorted;
}

function shownChange(before: Rules, after: Rules): ShownLine[] {
  return [
    shownLine('isMakerCheckerEnabled', `${onOff(before)} → ${onOff(after)}`),
    shownLine('rulesBefore', tiersSentence(before)),
    shownLine('rulesAfter', tiersSentence(after)),
  ];
}

const onOff = ({ isEnabled }: Rules) => (isEnabled ? 'on' : 'off');

function tiersSentence({ isEnabled, tiers }: Rules): string {
  if (!isEnabled) return 'nothing needs an approval';
  return tiers
    .map(({ fromMinor, approvals }) => `from ${formatMoney(fromMinor, DEFAULT_CURRENCY)}: ${approvals}`)
    .join('; ');
}

/** The rules in force, whether they can be fulfilled, and whether a change waits. */
export async function showRules(deps: { database: Database; clock: Clock }, tenant: Tenant): Promise<Answer> {
  const { clock } = deps;
  const [rules, rulesInForce, [waiting]] = await deps.database.snapshot((queries) =>
    Promise.all([
      readRulesNow(queries, tenant),
      readRulesInForce({ queries, clock }, tenant),
      queries.query(findRulesWaiting, [tenant.merchantId, tenant.mode]),
    ]),
  );
  return success('Success', { ...rulesView(rules), ...rulesInForce, approvalId: waiting?.id ?? null });
}

/** What a merchant has now to fulfil its rules. */
interface RulesInForce {
  /** People who may decide. */
  deciders: number;
  /** Keys of this mode that may pay and have no person behind them, who could be kept from approving. */
  keysWithoutMaker: number;
}

async function readRulesInForce(
  { queries, clock }: { queries: Queries; clock: Clock },
  tenant: Tenant,
): Promise<RulesInForce> {
  const [deciders, keysWithoutMaker] = await Promise.all([
    listDeciders(queries, tenant.merchantId),
    countKeysWithoutMaker({ queries, clock }, tenant),
  ]);
  return { deciders: deciders.size, keysWithoutMaker };
}

/** @throws AppError 422 `APPROVERS_MISSING` where fewer people can decide than the rules need. */
export async function requireDeciders(database: Database, merchantId: string, rules: Rules): Promise<void> {
  const needed = decidersNeeded(rules);
  if (needed === 0) return;
  const { size } = await listDeciders(database, merchantId);
  if (size < needed) throw approversMissing(needed, size);
}
