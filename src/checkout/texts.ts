import { formatMoney, parseAmount } from '../money/index.ts';
import type { PublicSessionView, SessionStatus } from '../payment-sessions/index.ts';
import { lagosTime } from '../platform/clock.ts';

type Amounts = Pick<PublicSessionView, 'currency'>;

/** `₦1,234.50`, of an amount as the API has it. */
export function moneyText({ currency }: Amounts, amount: number): string {
  return formatMoney(parseAmount(amount, 'amount', { allowZero: true }), currency);
}

/** An hour of the day in Lagos, `14:32`. */
export function hourText(time: string): string {
  return lagosTime(new Date(time)).slice('2026-11-20T'.length, '2026-11-20T10:30'.length);
}

/** Time that is left, in words: `about 29 minutes`. */
export function timeLeftText(until: string, now: Date): string {
  const minutes = Math.ceil((Date.parse(until) - now.getTime()) / 60_000);
  if (minutes <= 1) return 'less than 1 minute';
  return minutes < 120 ? `about ${minutes} minutes` : `about ${Math.floor(minutes / 60)} hours`;
}

/** What came of asking the provider. */
export type Checked = 'received' | 'not_yet' | 'lately' | 'unavailable';

export const CHECKED: Readonly<Record<Checked, string>> = {
  received: 'We found your payment.',
  not_yet: 'Your money is not here yet. Banks can take some minutes. We keep looking. You may close this page.',
  lately: 'We asked the bank a moment ago. We keep looking. You may close this page.',
  unavailable: 'We cannot ask the bank at the moment. We try again by ourselves. You may close this page.',
};

/** The headline of the page, which a screen reader announces when it changes. */
export function headlineOf(status: SessionStatus, session: PublicSessionView): string {
  const { merchantName } = session;
  switch (status) {
    case 'OPENING':
      return `Pay ${moneyText(session, session.amountToPay)} to ${merchantName}`;
    case 'OPEN':
      return `Pay ${moneyText(session, session.amountToPay)} to ${merchantName}`;
    case 'PARTIALLY_PAID':
      return `${moneyText(session, session.outstanding)} is still missing`;
    case 'PAID':
      return 'Thank you. We have received your payment.';
    case 'EXPIRED':
      return 'The time for this payment is over';
    case 'CANCELLED':
      return 'This payment was cancelled';
    case 'FAILED':
      return 'This payment could not be opened';
  }
}
