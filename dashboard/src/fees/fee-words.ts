import type { Data } from '../api/types.ts';
import { formatMoney } from '../format/money.ts';

export type FeeRule = Data<'get', '/operator/fee'>['records'][number];
export type FeeKind = FeeRule['kind'];

export const KINDS: Record<FeeKind, string> = {
  TRANSFER_FEE: 'Transfer fee',
  VAT: 'VAT on the fee',
  STAMP_DUTY: 'Stamp duty',
};

export const STATES: Record<FeeRule['state'], { tone: 'good' | 'info' | 'quiet'; word: string }> = {
  IN_FORCE: { tone: 'good', word: 'In force' },
  AHEAD: { tone: 'info', word: 'Ahead' },
  ENDED: { tone: 'quiet', word: 'Ended' },
};

type Charge = Pick<FeeRule, 'flat' | 'rateBasisPoints'>;

/** `₦25.00`, `7.5 %` or both. */
export function chargeText({ flat, rateBasisPoints }: Charge): string {
  const parts = [flat > 0 && formatMoney(flat), rateBasisPoints > 0 && `${rateBasisPoints / 100} %`];
  const said = parts.filter((part) => part !== false);
  return said.length === 0 ? 'Nothing' : said.join(' and ');
}

/** The amounts that a rule applies to, both ends included. */
export function bandText({ minAmount, maxAmount }: Pick<FeeRule, 'minAmount' | 'maxAmount'>): string {
  if (maxAmount === null) return minAmount === 0 ? 'Any amount' : `From ${formatMoney(minAmount)}`;
  return `${formatMoney(minAmount)} to ${formatMoney(maxAmount)}`;
}
