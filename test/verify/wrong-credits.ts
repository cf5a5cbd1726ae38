import { onAnyShard, type WrongBooks } from './wrong.ts';

/** Manual credits with something wrong in them. @param m the condition of their tenant. */
export const creditsOf = (m: string): WrongBooks[] => {
  const credit = (status: string) =>
    `(select id from manual_credits where ${m} and status = '${status}' order by id limit 1)`;
  return [
    {
      what: 'a manual credit of another amount than was posted',
      sql: [`update manual_credits set amount_minor = amount_minor + 1 where id = ${credit('APPROVED')}`],
      broken: ['manual-credits-moved-once', 'manual-credits-are-decided-by-two'],
    },
    {
      what: 'a manual credit that moved money and waits again',
      sql: [
        `update manual_credits set status = 'PENDING', decided_by = null, decided_at = null, updated_at = proposed_at
          where id = ${credit('APPROVED')}`,
      ],
      broken: ['manual-credits-moved-once', 'manual-credits-are-decided-by-two', 'names-are-taken-by-what-has-them'],
    },
    {
      what: 'a manual credit that was rejected, and reads as approved',
      sql: [`update manual_credits set status = 'APPROVED', reason = null where id = ${credit('REJECTED')}`],
      broken: ['manual-credits-moved-once', 'bank-references-are-of-one-credit'],
    },
    {
      what: 'a manual credit that one person alone decided',
      sql: [
        'alter table manual_credits drop constraint manual_credits_two_people',
        `update manual_credits set decided_by = proposed_by where id = ${credit('APPROVED')}`,
      ],
      broken: ['manual-credits-are-decided-by-two'],
    },
    {
      what: 'a manual credit whose note was written again',
      sql: [`update manual_credits set note = 'Nobody said so' where id = ${credit('APPROVED')}`],
      broken: ['manual-credits-are-decided-by-two'],
    },
    {
      what: 'a manual credit with another document',
      sql: [`update manual_credits set document_sealed = 'x' where id = ${credit('APPROVED')}`],
      broken: ['manual-credits-are-decided-by-two'],
    },
    {
      what: 'two manual credits with one reference of the bank',
      sql: [`delete from manual_credit_references where ${m} and manual_credit_id = ${onAnyShard(credit('APPROVED'))}`],
      broken: ['bank-references-are-of-one-credit'],
    },
    {
      what: 'a reference of the bank that is of no manual credit any more',
      sql: [`delete from manual_credits where id = ${credit('PENDING')}`],
      broken: ['bank-references-are-of-one-credit'],
    },
  ];
};
