import { modeInWords } from '../../access/index.ts';
import type { SecurityNotice } from '../../mail/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../../money/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { lagosClock } from '../../platform/lagos-time.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { PayoutLimit } from './payout-limit.ts';
import type { LimitDeps } from './read-limits.ts';

/** Whoever changes limits tells the owners of it. */
export type LimitChangeDeps = LimitDeps & { secrets: Secrets; clock: Clock };

type Amounts = Pick<PayoutLimit, 'perPayoutMinor' | 'perDayMinor'>;

/** What the owners are told of limits that were changed. @param by who did it, as a sentence begins with it. */
export function limitNotice(change: { mode: Mode; by: string; at: Date; from: Date; limit: Amounts | null }) {
  const { mode, by, at, from, limit } = change;
  const since = from > at ? ` From ${lagosClock(from)} on:` : '';
  const what =
    limit === null
      ? 'The limits for all merchants apply again.'
      : `One payout may be ${atMost(limit.perPayoutMinor)}, a day ${atMost(limit.perDayMinor)}.`;
  return (businessName: string): SecurityNotice => ({
    subject: `The limits of ${businessName} were changed`,
    paragraphs: [
      `${by} changed what ${businessName} may pay out in ${modeInWords(mode)} on ${lagosClock(at)} Lagos time.${since} ${what}`,
      'If nobody of your business was to change it, set it right under "Settings, Limits", and tell the operator.',
    ],
  });
}

const atMost = (minor: bigint | null) =>
  minor === null ? 'of any size' : `${formatMoney(minor, DEFAULT_CURRENCY)} at most`;
