import { joinParts, type Ledger } from '../ledger/index.ts';
import { queueMail } from '../mail/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { peopleOfRoles } from '../people/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { countList } from '../platform/lists/read-list.ts';
import type { Secrets } from '../platform/secrets.ts';
import { MODES, type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import { DEFAULT_TIERS, type KnownRules, RULES_WAIT, readRulesNow, tiersOf } from './approval-rules.ts';
import { requireDeciders, rulesCommitted } from './change-rules.ts';
import type { ApprovalSubject, ApprovalSubjects } from './clearance.ts';
import { type ApprovalDeps, untilSettled } from './decide-approval.ts';
import { approvalDigestMismatch, rulesUnchanged } from './errors.ts';
import { followRulesOf, newRulesParts } from './follow-rules.ts';
import { type ApprovalRow, approvalList, findRulesWaiting } from './queries.ts';
import { voidApproval } from './request-approval.ts';

interface RulesPayload {
  /** The rules that it was shown to replace. */
  instead: string;
  isEnabled: boolean;
  tiers: string;
}

/**
 * A change of the rules, approved by as many people as the strictest of them requires.
 * @param committed called once new rules are in force.
 */
function rulesSubject(
  { database }: { database: Database },
  committed: (approval: ApprovalRow) => Promise<void>,
): ApprovalSubject {
  return {
    async approved(approval, _cleared, at) {
      const { instead, isEnabled, tiers } = JSON.parse(approval.payload) as RulesPayload;
      const tenant = tenantOf(approval);
      const before = await readRulesNow(database, tenant);
      if (before.id !== instead) throw approvalDigestMismatch();
      const rules = { version: before.version + 1, id: approval.subject_id, isEnabled, tiers: tiersOf(tiers) };
      // Somebody may have left since it was requested.
      await requireDeciders(database, tenant.merchantId, rules);
      const made = { at, madeBy: approval.made_by, approvalId: approval.id };
      const parts = newRulesParts(tenant, rules, made);
      return { ...parts, releases: [{ ...RULES_WAIT, subjectId: approval.id }] };
    },
    ended: async (approval) => ({ releases: [{ ...RULES_WAIT, subjectId: approval.id }] }),
    committed,
  };
}

export interface SwitchOffDeps {
  database: Database;
  approvalRules: KnownRules;
  ledger: Ledger;
  secrets: Secrets;
  clock: Clock;
}

export interface SwitchOffInput {
  merchantId: string;
  /** The person who orders it, as the operator's machine knows them. */
  operator: string;
  /** Why; the merchant reads it. */
  reason: string;
}

/** A larger number is reported as this. */
const MAX_COUNTED = 10_000;

/**
 * The operator's help for a merchant whose approvers have left: switches approvals off in both modes. Approvals that
 * wait are not affected: they need what they needed when they were made, and can still be approved, rejected, withdrawn
 * or expire. Only a change of the rules that waits becomes void: it was to replace other rules. The owners are notified
 * by mail.
 * @returns how many still wait, by mode.
 * @throws AppError 404 `MERCHANT_NOT_FOUND`; 409 `APPROVAL_RULES_UNCHANGED` where approvals are off already.
 */
export async function switchApprovalsOff(deps: SwitchOffDeps, input: SwitchOffInput): Promise<Record<Mode, number>> {
  const { business_name: businessName } = await requireMerchant(deps.database, input.merchantId);
  const order = { ...input, id: newId() };
  let switched = false;
  for (const mode of MODES) {
    switched = (await untilSettled(() => switchOff(deps, mode, order))) || switched;
  }
  // A mode that used the merchant's flag alone has no rules yet.
  await followRulesOf(deps, input.merchantId);
  // After the switch: changes that were requested until then are found, and under the new rules none can be requested
  // any more.
  for (const mode of MODES) await untilSettled(() => voidWaitingChange(deps, { merchantId: input.merchantId, mode }));
  if (!switched) throw rulesUnchanged();
  await notifyOwners(deps, order, businessName);
  const [live = 0, sandbox = 0] = await Promise.all(MODES.map((mode) => countWaiting(deps.database, order, mode)));
  return { LIVE: live, SANDBOX: sandbox };
}

type Order = SwitchOffInput & { id: string };

/** One version of the rules, under one id in both modes: where this stops between the two, a worker completes it. */
async function switchOff(
  { database, approvalRules, ledger, clock }: SwitchOffDeps,
  mode: Mode,
  order: Order,
): Promise<boolean> {
  const tenant = { merchantId: order.merchantId, mode };
  const before = await readRulesNow(database, tenant);
  if (!before.isEnabled) return false;
  const tiers = before.tiers.length === 0 ? DEFAULT_TIERS : before.tiers;
  const after = { version: before.version + 1, id: order.id, isEnabled: false, tiers };
  const at = clock.now();
  const { operator, reason } = order;
  await ledger.commit({
    tenant,
    id: newId(),
    occurredAt: at.toISOString(),
    ...newRulesParts(tenant, after, { at, madeBy: null, approvalId: null, operator, reason }),
    answer: success('Approvals are off'),
  });
  approvalRules.forget(tenant);
  return true;
}

/** Otherwise it would keep the owners from changing the rules until it expires. */
async function voidWaitingChange({ database, ledger, clock }: SwitchOffDeps, tenant: Tenant): Promise<void> {
  const [waiting] = await database.query(findRulesWaiting, [tenant.merchantId, tenant.mode]);
  if (waiting === undefined) return;
  const at = clock.now();
  const voided = await voidApproval(database, tenant, waiting.id, 'APPROVALS_SWITCHED_OFF', at);
  await ledger.commit({
    tenant,
    id: waiting.id,
    occurredAt: at.toISOString(),
    ...joinParts(voided, { releases: [{ ...RULES_WAIT, subjectId: waiting.id }] }),
    answer: success('Void'),
  });
}

async function notifyOwners({ database, secrets, clock }: SwitchOffDeps, { merchantId, reason }: Order, name: string) {
  const owners = await peopleOfRoles(database, merchantId, ['OWNER']);
  for (const { email } of owners) {
    const text =
      `The operator of Manilla has switched approvals off for ${name}, in live mode and in the sandbox. The reason given: ` +
      `${reason}\n\nFrom now on anyone who knows the PIN sends money alone. What waited for approval still waits. Once enough ` +
      'people can decide again, you can switch approvals on under Settings, Approval rules.\n\n' +
      'If nobody of your business asked for this, tell the operator at once.\n\nManilla';
    await queueMail(
      { queries: database, secrets, clock },
      { to: email, subject: 'Approvals are off', text, link: null },
    );
  }
}

const countWaiting = (database: Database, { merchantId }: Order, mode: Mode): Promise<number> =>
  countList(database, approvalList({ merchantId, mode }, { status: 'PENDING' }), MAX_COUNTED);

/**
 * What the commands of approvals need, with the subjects of the modules above and the one of this module, its own
 * rules.
 */
export function approvalDeps(
  deps: Omit<ApprovalDeps, 'subjects'>,
  subjects: Omit<ApprovalSubjects, 'RULES'>,
): ApprovalDeps {
  const approvals: ApprovalDeps = {
    ...deps,
    subjects: {
      ...subjects,
      RULES: rulesSubject(deps, (approval) => rulesCommitted(approvals, tenantOf(approval))),
    },
  };
  return approvals;
}
