import { formatMoney } from '../money/index.ts';
import {
  confirmRefundOutcome,
  proposeRefundOutcome,
  REFUND_OUTCOMES,
  type RefundQueueEntry,
  readRefundQueue,
  rejectRefundOutcome,
} from '../refund-outcomes/index.ts';
import { refundReferenceOf } from '../refunds/index.ts';
import { type Command, PAGE_OPTIONS, pageOf, warnOfRest } from './command.ts';
import { decisionCommands } from './decide-outcomes.ts';

const listRefundOutcomes: Command = {
  name: 'list-refund-outcomes',
  audit: 'PERSONAL_DATA',
  about: 'refunds whose outcome people have to decide, what waits longest first',
  options: {
    all: { type: 'boolean', about: 'refunds of all merchants of the last 90 days, whatever their state, newest first' },
    ...PAGE_OPTIONS,
  },
  async run(deps, options) {
    const found = await readRefundQueue(deps, { needsDecision: !options.flag('all') }, pageOf(options));
    for (const entry of found.rows) deps.print(lineOf(entry));
    warnOfRest(deps, found, 'Nothing waits for a decision.');
  },
};

function lineOf({ refund, proposal }: RefundQueueEntry): string {
  return [
    refund.merchant_id,
    refund.mode,
    refund.id,
    refund.status,
    refund.operator_reason ?? refund.reason ?? '',
    refund.first_sent_at?.toISOString() ?? 'not sent',
    formatMoney(refund.amount_minor, refund.currency),
    refund.rail,
    `payment ${refund.payment_id}`,
    `reference ${refundReferenceOf(refund.id)}`,
    `provider ${refund.provider_refund_id ?? 'none'}`,
    ...(proposal === undefined
      ? ['no proposal']
      : [
          `proposal ${proposal.id}: ${proposal.outcome} by ${proposal.source}, ${proposal.note}`,
          `digest ${proposal.digest_now}`,
        ]),
  ].join('\t');
}

export const refundOutcomeCommands: readonly Command[] = [
  listRefundOutcomes,
  ...decisionCommands({
    subject: 'refund',
    suffix: 'refund-outcome',
    outcomes: REFUND_OUTCOMES,
    propose: (deps, { subjectId, ...said }) => proposeRefundOutcome(deps, { ...said, refundId: subjectId }),
    async confirm(deps, shown) {
      const { refundId, outcome } = await confirmRefundOutcome(deps.refunds(), shown);
      return `${refundId}\t${outcome}`;
    },
    reject: rejectRefundOutcome,
  }),
];
