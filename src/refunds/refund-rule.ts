import type { CreditEffect, CreditHook } from '../collections/index.ts';
import { type CommitResult, type IdempotencyKey, joinParts, type LockedCheck, lockedCheck } from '../ledger/index.ts';
import { ownersNoticeWrites } from '../mail/index.ts';
import { lagosClock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import type { RefundDeps } from './deps.ts';
import { refundRuleMovedOn } from './errors.ts';
import {
  findRefundRule,
  findReplacedRules,
  insertPaymentsToRefund,
  insertRefundRules,
  type RefundRuleRow,
  type RuleCause,
  type RuleWay,
} from './rule-queries.ts';
import { refundRuleView } from './views.ts';

/** Scope of unique keys: each version of a merchant's rule once. */
const VERSION_SCOPE = 'REFUND_RULE_VERSION';

/** The version in force; undefined where none was ever made: then nothing goes back by itself. */
export async function readRefundRule(queries: Queries, tenant: Tenant): Promise<RefundRuleRow | undefined> {
  const [row] = await queries.query(findRefundRule, [tenant.merchantId, tenant.mode]);
  return row;
}

/** How a rule sends back a payment with this cause. */
export const wayFor = (rule: RefundRuleRow | undefined, cause: RuleCause): RuleWay =>
  (cause === 'LATE' ? rule?.late : rule?.excess) ?? 'OFF';

const nameOf = (tenant: Tenant) => `refund_rule/${tenantKey(tenant)}`;

/** For a movement that depends on a version of the rule: it is refused where that version is no longer in force. */
export function whileRuleCounts(tenant: Tenant, version: number): LockedCheck {
  return lockedCheck({
    question: findReplacedRules,
    rows: [{ merchant_id: tenant.merchantId, mode: tenant.mode, version }],
    about: [nameOf(tenant)],
    refusal: (found) => (found.length > 0 ? refundRuleMovedOn() : undefined),
  });
}

interface RuleChange {
  tenant: Tenant;
  /** Unchanged where it is left out. */
  changes: { late?: RuleWay; excess?: RuleWay };
  /** Who changes it, as the mail to the owners begins. */
  by: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Makes the next version of a merchant's rule. It is for payments that are booked from then on; once switched off, it
 * refunds none that is not refunded by then. The owners are notified by mail.
 * @throws AppError 409 `REFUND_RULE_MOVED_ON` where somebody else changed it at the same moment
 */
export async function changeRefundRule(
  deps: RefundDeps & { secrets: Secrets },
  { tenant, changes, by, idempotency }: RuleChange,
): Promise<CommitResult> {
  const before = await readRefundRule(deps.database, tenant);
  const at = deps.clock.now();
  const row: RefundRuleRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    version: (before?.version ?? 0) + 1,
    id: newId(),
    late: changes.late ?? before?.late ?? 'OFF',
    excess: changes.excess ?? before?.excess ?? 'OFF',
    changed_by: by,
    changed_at: at,
  };
  const mails = await ownersNoticeWrites(
    { queries: deps.database, secrets: deps.secrets, clock: deps.clock },
    tenant.merchantId,
    (businessName) => notice(businessName, row),
  );
  return deps.ledger.commit({
    tenant,
    id: row.id,
    occurredAt: at.toISOString(),
    idempotency,
    uniqueKeys: [{ scope: VERSION_SCOPE, value: String(row.version), refusal: refundRuleMovedOn }],
    changes: [nameOf(tenant)],
    writes: [write(insertRefundRules, row), ...mails],
    events: [
      { id: newId(), type: 'refund_rule.updated', subjectId: tenant.merchantId, data: jsonOf(refundRuleView(row)) },
    ],
    answer: { message: 'The rule for refunds is saved' },
  });
}

const WAY_WORDS: Record<RuleWay, string> = {
  OFF: 'stays in the wallet',
  PROVIDER: 'goes back by the provider of the payment',
  PAYOUT: 'goes back as a payout',
};

function notice(businessName: string, { late, excess, changed_by, changed_at, mode }: RefundRuleRow) {
  const where = mode === 'LIVE' ? 'live mode' : 'the sandbox';
  return {
    subject: `The rule for refunds of ${businessName} was changed`,
    paragraphs: [
      `${changed_by} changed in ${where}, on ${lagosClock(changed_at)} Lagos time, what of payments to ${businessName} goes back to payers without anybody being asked. A payment that comes after its session has ended ${WAY_WORDS[late]}. What is paid above the amount asked ${WAY_WORDS[excess]}.`,
      'If nobody of your business was to change it, put it right under "Refunds" and look in the audit log who did.',
    ],
  };
}

const CAUSES: Readonly<Record<string, RuleCause>> = { LATE: 'LATE', OVERPAID: 'EXCESS', SECOND_PAYMENT: 'EXCESS' };

/** Notes, in the movement that books a payment, that a rule is for it: no worker has to search for such payments. */
export function withRefundRule(hook: CreditHook, deps: { database: Database }): CreditHook {
  return async (tenant, credit) => {
    const effect = await hook(tenant, credit);
    const cause = CAUSES[effect?.note ?? ''];
    if (effect === undefined || cause === undefined || effect.notOwedMinor <= 0n) return effect;
    try {
      const rule = await readRefundRule(deps.database, tenant);
      return rule === undefined || wayFor(rule, cause) === 'OFF' ? effect : noted(effect, { rule, cause, credit });
    } catch (error) {
      effect.settled?.();
      throw error;
    }
  };
}

function noted(
  effect: CreditEffect,
  { rule, cause, credit }: { rule: RefundRuleRow; cause: RuleCause; credit: { paymentId: string; at: Date } },
): CreditEffect {
  const { merchant_id, mode, version } = rule;
  const toRefund = write(insertPaymentsToRefund, {
    merchant_id,
    mode,
    id: credit.paymentId,
    cause,
    due_minor: effect.notOwedMinor,
    rule_version: version,
    status: 'WAITING',
    reason: null,
    refund_id: null,
    blocked_since: null,
    due_at: credit.at,
    attempts: 0,
    created_at: credit.at,
    updated_at: credit.at,
  });
  return { ...effect, parts: joinParts(effect.parts, { writes: [toRefund] }) };
}
