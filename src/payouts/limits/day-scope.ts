/** What a tenant pays out in one day: the scope of the allowance, whose period is the day in Lagos, `2026-11-20`. */
export const DAY_SCOPE = 'PAYOUT_DAY';
