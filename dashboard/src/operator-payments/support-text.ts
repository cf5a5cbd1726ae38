import type { Data } from '../api/types.ts';
import { formatMoney } from '../format/money.ts';
import { reportedText } from '../format/text.ts';
import { formatUtc } from '../format/time.ts';

/** As an operator sees a payout. */
export type PayoutCase = Data<'get', '/operator/payout/{reference}'>;

const KINDS: Record<PayoutCase['attempts'][number]['kind'], string> = {
  SEND: 'Sent',
  QUERY: 'Asked',
  PROVIDER_WEBHOOK: 'Webhook received',
  SETTLEMENT: 'Settlement file',
  OPERATOR: 'Decided here',
};

/** The last session id that a rail named, in whichever answer. */
export const lastSession = ({ payout, attempts }: PayoutCase): string | null =>
  payout.sessionId ?? attempts.findLast(({ sessionId }) => sessionId !== null)?.sessionId ?? null;

/** A payout as a provider's support needs it: what was sent, every call and every answer. Nothing of ours but that. */
export function supportText(found: PayoutCase): string {
  const { payout, sent, attempts } = found;
  const facts = [
    ['Rail account', sent.rail],
    ['Reference', sent.reference],
    ['Session id', lastSession(found) ?? 'not known'],
    ['Amount', formatMoney(sent.amount, sent.currency)],
    ['To', `${sent.accountName}, ${sent.accountNumber}, ${sent.bankName} (${sent.bankCode})`],
    ['Narration', sent.narration],
    ['Status here', payout.isUnknown ? 'outcome unknown' : payout.status],
  ];
  const calls = attempts.map(({ kind, rail, startedAt, endedAt, outcome, code, message, sessionId, reported }) =>
    [
      `${formatUtc(startedAt)}  ${KINDS[kind]} (${rail}): ${outcome ?? (endedAt === null ? 'no answer' : 'noted')}`,
      code !== null && `code ${code}`,
      message,
      sessionId !== null && `session ${sessionId}`,
      reportedText(reported),
    ]
      .filter((part) => typeof part === 'string')
      .join('; '),
  );
  return [...facts.map(([label, value]) => `${label}: ${value}`), '', ...calls].join('\n');
}
