import { stateMachine } from '../ledger/index.ts';

/** What the merchant set. */
export const paymentLinkStates = stateMachine<'ACTIVE' | 'INACTIVE'>('payment_link', 'payment_links', {
  ACTIVE: ['INACTIVE'],
  INACTIVE: ['ACTIVE'],
});

export const LINK_STATUSES = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'USED_UP'] as const;

export type LinkStatus = (typeof LINK_STATUSES)[number];

interface LinkFacts {
  status: 'ACTIVE' | 'INACTIVE';
  expires_at: Date | null;
  max_payments: number | null;
}

/** The state of a link as it is shown: what the merchant set, its time, and how many sessions under it were paid. */
export function linkStatus({ status, expires_at, max_payments }: LinkFacts, paid: number, now: Date): LinkStatus {
  if (status === 'INACTIVE') return 'INACTIVE';
  if (max_payments !== null && paid >= max_payments) return 'USED_UP';
  return expires_at !== null && expires_at <= now ? 'EXPIRED' : 'ACTIVE';
}
