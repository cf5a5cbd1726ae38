import { modeInWords } from '../access/index.ts';
import { notifyOwners, type SecurityNotice } from '../mail/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { lagosClock } from '../platform/clock.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { LimitDeps } from './check-limits.ts';
import { type PayoutLimit, type PayoutLimitRow, rowAt } from './payout-limit.ts';
import { deletePayoutLimitsAhead, insertPayoutLimits, listOperatorLimits, updatePayoutLimitsEnded } from './queries.ts';

/** A change of limits notifies the owners. */
export type LimitChangeDeps = Omit<LimitDeps, 'payoutLimits'> & { secrets: Secrets };

type Amounts = Pick<PayoutLimit, 'perPayoutMinor' | 'perDayMinor'>;

/** Who may put limits right that they did not expect: those of the operator are not the business's to change. */
const ADVICE = {
  MERCHANT:
    'If nobody of your business was to change it, set it right under "Settings, Limits", and tell the operator.',
  OPERATOR: '"Settings, Limits" shows it. Only the operator can change it: ask there if you did not expect it.',
};

interface LimitChange {
  mode: Mode;
  /** Whose limits they are. */
  owner: keyof typeof ADVICE;
  /** Who did it, as a sentence begins with it. */
  by: string;
  at: Date;
  from: Date;
  limit: Amounts | null;
}

/** The notice to the owners about changed limits. */
export function limitNotice({ mode, owner, by, at, from, limit }: LimitChange) {
  const since = from > at ? ` From ${lagosClock(from)} on:` : '';
  const what =
    limit === null
      ? 'The limits for all merchants apply again.'
      : `One payout may be ${atMost(limit.perPayoutMinor)}, a day ${atMost(limit.perDayMinor)}.`;
  return (businessName: string): SecurityNotice => ({
    subject: `The limits of ${businessName} were changed`,
    paragraphs: [
      `${by} changed what ${businessName} may pay out in ${modeInWords(mode)} on ${lagosClock(at)} Lagos time.${since} ${what}`,
      ADVICE[owner],
    ],
  });
}

const atMost = (minor: bigint | null) =>
  minor === null ? 'of any size' : `${formatMoney(minor, DEFAULT_CURRENCY)} at most`;

/** After a month the same payout is no mistake but the next month's. */
const MAX_WINDOW_SECONDS = 30 * 24 * 60 * 60;

export interface NewLimits {
  /** Null: all merchants. */
  merchantId: string | null;
  mode: Mode;
  /** In kobo; null is no limit. An undefined field keeps its value of that time, here and below. */
  perPayoutMinor: bigint | null | undefined;
  /** In kobo for a day in Lagos; null is no limit. */
  perDayMinor: bigint | null | undefined;
  /** Zero is no guard against duplicates. */
  duplicateWindowSeconds: number | undefined;
  /** Undefined: now. */
  effectiveFrom: Date | undefined;
  /** Null: until further notice. */
  effectiveTo: Date | null;
  /** Who decided it, and why. */
  source: string;
}

/**
 * Adds a dated row. Limits of the past are unchanged, so that a refusal can be explained later. The owners of a
 * merchant whose own limits these are get a mail; a limit for all merchants is mailed to nobody.
 * @throws AppError `VALIDATION_FAILED` for a moment in the past, an end before the beginning, a window over a month.
 */
export async function setLimits(deps: LimitChangeDeps, input: NewLimits): Promise<PayoutLimitRow> {
  const { database, clock } = deps;
  const now = clock.now();
  const { merchantId, mode, perPayoutMinor, perDayMinor, effectiveFrom = now, effectiveTo, source } = input;
  if (effectiveFrom < now) throw invalidField('from', 'must not be in the past');
  if (effectiveTo !== null && effectiveTo <= effectiveFrom) throw invalidField('until', 'must be after from');
  const before = rowAt(await database.query(listOperatorLimits, [merchantId]), { merchantId, mode }, effectiveFrom);
  const duplicateWindowSeconds = input.duplicateWindowSeconds ?? before?.duplicateWindowSeconds ?? 0;
  if (duplicateWindowSeconds > MAX_WINDOW_SECONDS) {
    throw invalidField('duplicate-window', `must be at most ${MAX_WINDOW_SECONDS} seconds, which is a month`);
  }
  const row: PayoutLimitRow = {
    id: newId(),
    owner: 'OPERATOR',
    merchantId,
    mode,
    perPayoutMinor: perPayoutMinor === undefined ? (before?.perPayoutMinor ?? null) : perPayoutMinor,
    perDayMinor: perDayMinor === undefined ? (before?.perDayMinor ?? null) : perDayMinor,
    duplicateWindowSeconds,
    effectiveFrom,
    effectiveTo,
    source,
  };
  await database.transaction(async (tx) => {
    await insert(tx, row);
    if (merchantId !== null) await notify(deps, tx, { merchantId, mode }, { from: effectiveFrom, limit: row });
  });
  return row;
}

function notify(
  { secrets, clock }: LimitChangeDeps,
  tx: Tx,
  { merchantId, mode }: Tenant,
  change: Pick<LimitChange, 'from' | 'limit'>,
): Promise<void> {
  const notice = limitNotice({ ...change, mode, owner: 'OPERATOR', by: 'The operator of Manilla', at: clock.now() });
  return notifyOwners({ queries: tx, secrets, clock }, merchantId, notice);
}

async function insert(queries: Queries, row: PayoutLimitRow): Promise<void> {
  await queries.run(insertPayoutLimits, [
    {
      id: row.id,
      owner: row.owner,
      merchant_id: row.merchantId,
      mode: row.mode,
      per_payout_minor: row.perPayoutMinor,
      per_day_minor: row.perDayMinor,
      duplicate_window_seconds: row.duplicateWindowSeconds,
      effective_from: row.effectiveFrom.toISOString(),
      effective_to: row.effectiveTo?.toISOString() ?? null,
      source: row.source,
    },
  ]);
}

/**
 * Ends the limits of one merchant: it has the limits for all from now on. False where it had none of its own. Its
 * owners are notified.
 */
export async function endOwnLimits(deps: LimitChangeDeps, { merchantId, mode }: Tenant): Promise<boolean> {
  const now = deps.clock.now();
  const key = [merchantId, mode, now];
  return deps.database.transaction(async (tx) => {
    const [ended, dropped] = await Promise.all([
      tx.query(updatePayoutLimitsEnded, key),
      tx.query(deletePayoutLimitsAhead, key),
    ]);
    const had = ended.length + dropped.length > 0;
    if (had) await notify(deps, tx, { merchantId, mode }, { from: now, limit: null });
    return had;
  });
}
