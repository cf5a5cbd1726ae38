/** What a merchant can have switched on. The reference table `services` holds the same keys with their texts. */
export const SERVICE_KEYS = ['PAYOUT', 'BRANCH', 'COLLECTION', 'CHILD_ACCOUNT', 'CARD'] as const;

export type ServiceKey = (typeof SERVICE_KEYS)[number];

export function isServiceKey(text: string): text is ServiceKey {
  return (SERVICE_KEYS as readonly string[]).includes(text);
}
