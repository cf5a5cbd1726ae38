import { onAnyShard, type WrongBooks } from './wrong.ts';

/** Refunds with something wrong in them. @param m the condition of their tenant. */
export const refundsOf = (m: string): WrongBooks[] => {
  const refund = (condition: string) => `(select id from refunds where ${m} and ${condition} order by id limit 1)`;
  const byProvider = refund("way = 'PROVIDER' and status = 'SUCCESS'");
  return [
    {
      what: 'a refund over another amount than was held and sent',
      sql: [`update refunds set amount_minor = amount_minor + 1 where id = ${byProvider}`],
      broken: [
        'refunds-move-what-they-say',
        'refunds-are-reported-as-they-are',
        'refunds-have-their-evidence',
        'sent-refunds-are-transactions',
        'the-sandbox-bank-has-the-same-refunds',
        'receivables-are-what-providers-owe',
        'day-limits-count-what-is-paid',
        'reservations-are-of-what-made-them',
      ],
    },
    {
      what: 'refunds that come to more than their payment',
      sql: [
        `update inbound_payments set amount_minor = fee_minor + vat_minor + 1 where id = (select payment_id from refunds where id = ${byProvider})`,
      ],
      broken: ['refunds-never-exceed-their-payment'],
    },
    {
      what: 'a refund whose hold was voided although it was sent',
      sql: [
        `update transfers set kind = 'VOID' where code = 'REFUND' and kind = 'POST' and transaction_id = ${byProvider}`,
      ],
      broken: ['refunds-move-what-they-say'],
    },
    {
      what: 'a payout for a refund that nobody asked for',
      sql: [
        `update payouts set purpose = 'REFUND' where ${m} and id = (select id from payouts where ${m} and purpose <> 'REFUND' order by id limit 1)`,
      ],
      broken: ['refunds-are-as-their-payouts'],
    },
    {
      what: 'a refund whose payout failed, and which reads as done',
      sql: [
        `update refunds set status = 'SUCCESS', reason = null where id = ${refund("way = 'PAYOUT' and status = 'FAILED'")}`,
      ],
      broken: ['refunds-are-as-their-payouts', 'history-leads-to-the-status'],
    },
    {
      what: 'evidence of a refund that was written again',
      sql: [`update refund_attempts set message = 'All is well' where ${m} and refund_id = ${byProvider}`],
      broken: ['refunds-have-their-evidence'],
    },
    {
      what: 'a refund that no webhook of its provider leads to',
      sql: [`delete from refund_keys where ${m} and refund_id = ${onAnyShard(byProvider)}`],
      broken: ['names-at-providers-lead-to-their-refunds'],
    },
    {
      what: 'a refund that says it needed an approval, and there is none',
      sql: [`update refunds set approval_id = id where id = ${byProvider}`],
      broken: ['refunds-went-after-their-approval', 'refunds-are-reported-as-they-are'],
    },
    {
      what: 'an open refund that nobody looks at any more',
      sql: [`update refunds set due_at = null where id = ${refund("status = 'PROCESSING'")}`],
      broken: ['open-refunds-are-looked-at'],
    },
    {
      what: 'a sent refund that is no transaction',
      sql: [`delete from transactions where ${m} and id = ${byProvider}`],
      broken: ['sent-refunds-are-transactions'],
    },
    {
      what: 'a refund that one person of the operator decided alone',
      sql: [
        `alter table refund_outcome_proposals drop constraint refund_outcome_proposals_two_people`,
        `update refund_outcome_proposals set decided_by = proposed_by where ${m} and status = 'CONFIRMED'`,
      ],
      broken: ['refund-outcomes-are-decided-by-two'],
    },
    {
      what: 'a refund that nobody proposed to decide as it was',
      sql: [`delete from refund_outcome_proposals where ${m} and status = 'CONFIRMED'`],
      broken: ['refund-outcomes-are-decided-by-two'],
    },
    ...refundRules,
  ];
};

const toRefund = (condition: string) => `(select id from payments_to_refund where ${condition} order by id limit 1)`;

/** What rules for refunds made, and did not, with something wrong in it: of whichever merchant has some. */
const refundRules: WrongBooks[] = [
  {
    what: 'a rule for refunds that sends back what it was not set to',
    sql: [`update refund_rules set late = 'PAYOUT' where version = 1 and late = 'PROVIDER'`],
    broken: ['refund-rules-are-what-was-set', 'refund-rules-refund-once'],
  },
  {
    what: 'a late payment that the rule forgot',
    sql: [
      `delete from payments_to_refund where id = ${toRefund("cause = 'LATE' and status = 'LEFT'")} or id = ${toRefund("status = 'REFUNDED'")}`,
    ],
    broken: ['refund-rules-forget-no-payment', 'refund-rules-refund-once'],
  },
  {
    what: 'a payment that the rule is for with more than its payer did not owe',
    sql: [
      `update payments_to_refund set due_minor = due_minor + 1 where id = ${toRefund("cause = 'EXCESS' and status = 'REFUNDED'")}`,
    ],
    broken: ['refund-rules-forget-no-payment', 'refund-rules-refund-once'],
  },
  {
    what: 'a refund by a rule over more than was not owed',
    sql: [
      `update refunds set amount_minor = amount_minor + 1 where id = (select refund_id from payments_to_refund where id = ${toRefund("status = 'REFUNDED'")})`,
    ],
    broken: ['refund-rules-refund-once', 'refunds-are-reported-as-they-are'],
  },
  {
    what: 'a refund by a rule that reads as one by hand',
    sql: [
      `update refunds set cause = 'MERCHANT' where id = (select refund_id from payments_to_refund where id = ${toRefund("status = 'REFUNDED'")})`,
    ],
    broken: ['refund-rules-refund-once', 'names-are-taken-by-what-has-them', 'refunds-went-after-their-approval'],
  },
  {
    what: 'a payment that waits for its refund, and that nobody looks at',
    sql: [`update payments_to_refund set due_at = null where id = ${toRefund("status = 'WAITING'")}`],
    broken: ['refund-rules-refund-once'],
  },
  {
    what: 'a refund by rule that was refused, and reported for another reason',
    sql: [`update payments_to_refund set reason = 'REFUND_TOO_SMALL' where id = ${toRefund("status = 'REFUSED'")}`],
    broken: ['refunds-that-rules-did-not-make-are-reported'],
  },
];
