import type { WrongBooks } from './wrong.ts';

/** Events that are not the last of what they report, and others whose facts stand in a row: with one fact of them changed. */
export const reportsOf = (): WrongBooks[] =>
  WRONG.map(({ what, event, leaf, to, broken }) => ({
    what: `an event that reports ${what}`,
    sql: [
      `update event_rows set data = jsonb_set(data::jsonb, '{${leaf}}', '${to}')::text
        where (merchant_id, mode, sequence) = (select merchant_id, mode, sequence from events e where ${event} order by merchant_id, mode, sequence limit 1)`,
    ],
    broken: [broken],
  }));

interface WrongReport {
  what: string;
  /** A condition of `e`. */
  event: string;
  /** The path of it, steps apart by commas. */
  leaf: string;
  /** As JSON. */
  to: string;
  broken: string;
}

/** A dispute that a later event reports too. */
const earlier = (type: string) =>
  `e.type = '${type}' and exists (select from events o where o.merchant_id = e.merchant_id and o.mode = e.mode
     and o.subject_id = e.subject_id and o.type like 'dispute.%' and o.sequence > e.sequence)`;

const ofDispute = (what: string, leaf: string, to: string, type = 'dispute.evidence_sent'): WrongReport => ({
  what: `${what} of a dispute before its end`,
  event: earlier(type),
  leaf,
  to,
  broken: 'disputes-are-reported-as-they-are',
});

const WRONG: readonly WrongReport[] = [
  ofDispute('another number at the provider', 'providerDisputeId', '"DSP-0"'),
  ofDispute('another id', 'disputeId', '"00000000-0000-7000-8000-000000000000"'),
  ofDispute('another payment', 'paymentId', '"00000000-0000-7000-8000-000000000000"'),
  ofDispute('another amount', 'amount', '1.25'),
  ofDispute('another opening', 'openedAt', '"2026-01-01T00:00:00.000Z"'),
  ofDispute('other words of the payer', 'message', '"Somebody else said this"'),
  ofDispute('another sum that is disputed', 'disputed', '1.25'),
  ofDispute('another hold', 'held', '1.25'),
  ofDispute('money that was taken', 'taken', '1.25'),
  ofDispute('a debt', 'owed', '1.25'),
  ofDispute('a loss', 'loss', '1.25'),
  ofDispute('an end', 'endedAt', '"2026-01-01T00:00:00.000Z"'),
  ofDispute('a reason', 'reason', '"NOT_ANSWERED_IN_TIME"'),
  ofDispute('an answer that nobody made', 'answerReason', '"TOO_LATE"'),
  ofDispute('an answer', 'answer', '"ACCEPT"', 'dispute.opened'),
  ofDispute('a state that it came to later', 'status', '"EVIDENCE_SENT"', 'dispute.opened'),
  {
    what: 'another hold of a dispute, with its moment',
    event: `${earlier('dispute.opened')} and (e.data::json ->> 'held')::numeric > 0`,
    leaf: 'held',
    to: '0',
    broken: 'disputes-move-what-they-say',
  },
  {
    what: 'another dispute at the sandbox bank',
    event: `e.type = 'sandbox.dispute_opened'`,
    leaf: 'amount',
    to: '1.25',
    broken: 'the-sandbox-bank-has-the-same-disputes',
  },
  {
    what: 'another account of a refund before its end',
    event: `e.type = 'refund.processing' and e.data::json ->> 'account' is not null`,
    leaf: 'account,accountNumber',
    to: '"0000000000"',
    broken: 'refunds-are-reported-as-they-are',
  },
  {
    what: 'a refund by rule that was made, and was refused',
    event: `e.type = 'refund_rule.refused'`,
    leaf: 'refundId',
    to: '"00000000-0000-7000-8000-000000000000"',
    broken: 'refunds-that-rules-did-not-make-are-reported',
  },
  {
    what: 'a rule for refunds that somebody else set',
    event: `e.type = 'refund_rule.updated'`,
    leaf: 'changedBy',
    to: '"Somebody else"',
    broken: 'refund-rules-are-what-was-set',
  },
  {
    what: 'own limits that were not set',
    event: `e.type = 'limit.changed'`,
    leaf: 'own,perDay',
    to: '1.25',
    broken: 'changes-of-rules-were-approved',
  },
  {
    what: 'why an approval was refused, as it was asked for',
    event: `e.type = 'approval.requested'`,
    leaf: 'reason',
    to: '"BATCH_CHANGED"',
    broken: 'approvals-are-reported-as-they-are',
  },
  {
    what: 'a state of a batch that it had not, as an item changed',
    event: `e.type in ('batch.item_updated', 'batch.item_dropped') and e.data::json ->> 'status' = 'READY'
            and exists (select from events o where o.merchant_id = e.merchant_id and o.mode = e.mode
              and o.subject_id = e.subject_id and o.type like 'batch.%' and o.sequence > e.sequence)`,
    leaf: 'reason',
    to: '"APPROVAL_REJECTED"',
    broken: 'steps-of-batches-are-reported',
  },
  {
    what: 'the dispatch of a batch that was not dispatched yet',
    event: `e.type = 'batch.ready'`,
    leaf: 'dispatchedAt',
    to: '"2026-01-01T00:00:00.000Z"',
    broken: 'batches-are-reported-as-they-are',
  },
  {
    what: 'another approval that a batch waits for',
    event: `e.type = 'batch.pending_approval'`,
    leaf: 'approvalId',
    to: '"00000000-0000-7000-8000-000000000000"',
    broken: 'batches-are-reported-as-they-are',
  },
  {
    what: 'an end of an account at a provider as it was opened',
    event: `e.type = 'virtual_account.opened'`,
    leaf: 'closedAt',
    to: '"2026-01-01T00:00:00.000Z"',
    broken: 'accounts-at-providers-are-reported-as-they-are',
  },
  ...(
    [
      ['approval', 'approval.requested', 'approvals-are-reported-as-they-are'],
      ['beneficiary', 'beneficiary.added', 'beneficiaries-are-reported-as-they-are'],
      ['account at a provider', 'virtual_account.opened', 'accounts-at-providers-are-reported-as-they-are'],
    ] as const
  ).map(([what, type, broken]) => ({
    what: `as final the state of one that may still change: ${what}`,
    event: `e.type = '${type}'`,
    leaf: 'conclusive',
    to: 'true',
    broken,
  })),
  {
    what: 'that a session ran out before it did',
    event: `e.type = 'payment_session.opened'`,
    leaf: 'expiresAt',
    to: '"2020-01-01T00:00:00.000Z"',
    broken: 'sessions-are-reported-as-they-are',
  },
  ...(
    [
      ['another currency', 'currency', '"USD"'],
      ['another payout', 'payoutReference', '"MNL0"'],
      ['a session that its bank has not given', 'sessionId', '"000000"'],
      ['a moment at which nothing was paid', 'paidAt', '"2026-01-01T00:00:00.000Z"'],
      ['another try', 'tryAgainAt', '"2036-01-01T00:00:00.000Z"'],
      ['that nothing more comes', 'conclusive', 'true'],
      ['more lines', 'summary,0,lines', '1000'],
      ['lines that are not settled', 'summary,0,settled', 'null'],
    ] as const
  ).map(([what, leaf, to]) => ({
    what: `${what} of a settlement to a bank that is under way`,
    event: `e.type = 'merchant_settlement.processing'`,
    leaf,
    to,
    broken: 'settlements-to-banks-are-reported-as-they-are',
  })),
];
