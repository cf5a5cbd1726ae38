import { expect } from 'vitest';
import { queriesOn } from '../../src/platform/db/connections.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type VerifyReport, verifyBooks } from '../../src/verify/index.ts';

export interface Corruption {
  what: string;
  sql: () => string[];
  /** Checks that it breaks, among others. */
  broken: string[];
}

/** Checks of what is kept behind the books for operators: payout-search.test.ts has those. */
export const CHECKS_OF_THE_DIRECTORY = [
  'payout-directory-has-the-payouts',
  'rail-totals-are-their-events',
  'event-readers-are-not-ahead-of-the-books',
] as const;

/** Checks whose corruptions need payouts with batches, settlements and webhooks: verify-payouts.test.ts has those. */
export const CHECKS_OF_PAYOUTS = [
  'payouts-have-one-reference',
  'second-rails-follow-a-refusal',
  'payouts-end-by-a-provider-response',
  'answers-are-about-what-was-sent',
  'outcomes-are-decided-by-two',
  'proposals-are-what-was-proposed',
  'day-limits-count-what-is-paid',
  'dedupe-keys-are-of-payouts',
  'nothing-is-paid-twice-unless-meant',
  'batches-hold-keys-until-expanded',
  'items-belong-to-batches',
  'batches-count-their-items',
  'batches-count-their-payouts',
  'batch-totals-are-those-of-their-payouts',
  'chunks-come-to-their-items',
  'chunks-are-what-was-dispatched',
  'items-become-payouts-once-expanded',
  'settlements-are-of-paid-payouts',
  'settlement-transfers-come-to-their-payouts',
  'deliveries-are-of-their-events',
  'endpoints-are-sent-what-happened',
];

/** Corruptions of these need people who decide: test/approvals/verify.test.ts has those. */
export const CHECKS_OF_APPROVALS = [
  'nothing-leaves-before-its-approval',
  'what-was-approved-is-what-is-there',
  'rules-of-approval-were-followed',
  'approvals-are-given-by-others',
  'what-waits-has-its-approval',
  'rules-of-approval-are-in-force',
  'changes-of-rules-were-approved',
];

export const brokenIn = (report: VerifyReport) => report.checks.filter(({ ok }) => !ok).map(({ name }) => name);

/** Proves the books with `sql` done to them, and undoes it: all in one database transaction. */
export async function verifyAfter({ pool }: Pick<Database, 'pool'>, sql: string[]): Promise<VerifyReport> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    for (const one of sql) {
      const { rowCount, command } = await client.query(one);
      if (command !== 'ALTER' && command !== 'DROP') expect(rowCount, one).toBeGreaterThan(0);
    }
    return await verifyBooks({ readApart: (_connections, work) => work([queriesOn(client)]) });
  } finally {
    await client.query('rollback');
    client.release();
  }
}
