import { moved } from '../support/moved.ts';
import type { WrongBooks } from './wrong.ts';

const one = (status: string) => `(select id from disputes where status = '${status}' order by id limit 1)`;

/** Disputes with something wrong in them. */
export const disputesOf = (): WrongBooks[] => [
  {
    what: 'a dispute that took more than it says',
    sql: [`update transfers set amount_minor = amount_minor + 1 where code = 'DISPUTE' and kind = 'POST'`],
    broken: ['disputes-move-what-they-say'],
  },
  {
    what: 'a hold of a dispute that ended at another moment than a larger one took its place',
    sql: [
      `update transfers set created_at = ${moved('created_at', '1 second')}
        where code = 'DISPUTE' and kind = 'VOID' and transaction_id in (select id from disputes where ended_at is null)`,
    ],
    broken: ['disputes-move-what-they-say'],
  },
  {
    what: 'a hold of a dispute that was reported with another amount before it was larger',
    sql: [
      `update event_rows set data = regexp_replace(data, '"held":[0-9.]+', '"held":0.5')
        where type = 'dispute.opened' and subject_id in (
          select transaction_id from transfers where code = 'DISPUTE' and kind = 'VOID'
             and transaction_id in (select id from disputes where ended_at is null))`,
    ],
    broken: ['disputes-move-what-they-say'],
  },
  {
    what: 'a dispute that was lost and reads as won',
    sql: [
      `update disputes set status = 'WON', reason = null, taken_minor = 0, loss_minor = 0 where id = ${one('LOST')}`,
    ],
    broken: ['disputes-move-what-they-say', 'disputes-are-confirmed', 'payments-are-taken-back-once'],
  },
  {
    what: 'a lost dispute that took less than its amount and that nobody looks at again',
    sql: [
      `update limit_usage set used_minor = used_minor - 1
        where scope = 'PAYMENT_TAKEN_BACK'
          and period in (select payment_id::text from disputes where status = 'LOST' and disputed_minor < amount_minor)`,
    ],
    broken: ['lost-disputes-take-what-they-may', 'payments-are-taken-back-once'],
  },
  {
    what: 'a lost dispute of which less was wanted in the end, as no provider said',
    sql: [
      `update disputes set amount_minor = amount_minor - 1 where status = 'LOST' and disputed_minor < amount_minor`,
    ],
    broken: ['disputes-are-confirmed', 'disputes-are-reported-as-they-are', 'the-sandbox-bank-has-the-same-disputes'],
  },
  {
    what: 'a report of a dispute that was written again',
    sql: [`update dispute_evidence set code = 'OTHER' where dispute_id = ${one('WON')}`],
    broken: ['disputes-are-confirmed'],
  },
  {
    what: 'a dispute with other words of its payer',
    sql: [`update disputes set message = 'Somebody else said this' where id = ${one('OPEN')}`],
    broken: ['disputes-are-reported-as-they-are', 'disputes-are-confirmed'],
  },
  {
    what: 'a loss that nobody owes',
    sql: [`update disputes set loss_minor = taken_minor, taken_minor = 0 where id = ${one('ACCEPTED')}`],
    broken: ['debts-are-losses-less-repayments', 'disputes-move-what-they-say'],
  },
  {
    what: 'evidence whose words were written again',
    sql: [`update dispute_answers set content = '{"message": "Nobody said so"}' where action = 'CONTEST'`],
    broken: ['answers-to-disputes-are-what-was-made'],
  },
  {
    what: 'a dispute that its number at the provider leads to another from',
    sql: [`update dispute_directory set dispute_id = '${crypto.randomUUID()}' where dispute_id = ${one('OPEN')}`],
    broken: ['disputes-lead-from-their-providers'],
  },
  {
    what: 'a dispute that one person entered alone',
    sql: [
      'alter table dispute_proposals drop constraint dispute_proposals_two_people',
      `update dispute_proposals set decided_by = proposed_by where action = 'OPEN' and status = 'CONFIRMED'`,
    ],
    broken: ['disputes-by-hand-are-decided-by-two'],
  },
  {
    what: 'an end of a dispute that nobody proposed',
    sql: [`delete from dispute_proposals where action = 'LOST'`],
    broken: ['disputes-by-hand-are-decided-by-two'],
  },
  {
    what: 'a dispute that was won, and lost after all at another moment than two people said so',
    sql: [
      `update state_changes set created_at = ${moved('created_at', '1 second')}
        where subject = 'dispute' and from_state = 'WON' and to_state = 'LOST'`,
    ],
    broken: ['disputes-by-hand-are-decided-by-two', 'disputes-move-what-they-say', 'steps-are-reported'],
  },
  {
    what: 'a number at a provider that is noted with another payment',
    sql: [
      `update dispute_directory set reported = replace(reported, '"providerTransactionId":"', '"providerTransactionId":"x')
        where dispute_id = ${one('OPEN')}`,
    ],
    broken: ['disputes-are-noted-as-they-are'],
  },
  {
    what: 'a file of evidence that is shorter than it was',
    sql: ['update dispute_files set size_bytes = size_bytes + 1'],
    broken: ['files-of-evidence-are-whole'],
  },
  {
    what: 'a payment of which more counts as taken back than is',
    sql: [
      `update limit_usage set used_minor = used_minor + 1
        where scope = 'PAYMENT_TAKEN_BACK' and period = (select payment_id::text from disputes where status = 'OPEN' order by id limit 1)`,
    ],
    broken: ['payments-are-taken-back-once'],
  },
  {
    what: 'a step of a dispute at another moment than was reported',
    sql: [
      `update state_changes set created_at = ${moved('created_at', '1 second')} where subject = 'dispute' and to_state = 'WON'`,
    ],
    broken: ['steps-are-reported'],
  },
  {
    what: 'a dispute of which the sandbox bank has another amount',
    sql: [`update sandbox_disputes set amount_minor = amount_minor + 1 where answer = 'ACCEPT'`],
    broken: ['the-sandbox-bank-has-the-same-disputes'],
  },
];
