/** TIER_2 as people say it. */
export const tierName = (tier: string): string => tier.replace('TIER_', 'Tier ');

export const TIER_OPTIONS = ['TIER_1', 'TIER_2', 'TIER_3'].map((value) => ({ value, label: tierName(value) }));
