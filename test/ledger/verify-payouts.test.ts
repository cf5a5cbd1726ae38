import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmOutcome } from '../../src/outcomes/confirm-outcome.ts';
import { proposeOutcome } from '../../src/outcomes/propose-outcome.ts';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import type { PayoutRecord } from '../../src/payouts/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { NOTHING_REPORTED } from '../../src/rails/index.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import {
  createPayoutFixture,
  items,
  type Merchant,
  type PayoutFixture,
  PIN,
  untilQuiet,
} from '../payouts/payout-fixture.ts';
import { addOperator, csvOf, importText, pay } from '../reconciliation/files.ts';
import { brokenIn, CHECKS_OF_PAYOUTS, type Corruption, verifyAfter } from './corruption.ts';

let fixture: PayoutFixture;
let merchant: Merchant;
let people: { ada: string; bola: string };
let batches: { paid: string; waiting: string };
let payouts: Record<'paid' | 'settled' | 'returned' | 'failed' | 'decided', PayoutRecord>;
let item: string;

/** A tenant with something of everything that payouts leave behind, all of it right. */
beforeAll(async () => {
  fixture = await createPayoutFixture();
  merchant = await fixture.addMerchant();
  people = { ada: await addOperator(fixture, 'ada'), bola: await addOperator(fixture, 'bola') };
  const paid = await dispatched(4);
  await untilQuiet(fixture);
  batches = { paid, waiting: await dispatched(3) };
  const settled = await payNow();
  const returned = await payNow({ 'x-sandbox-scenario': 'late-reversal' });
  const said = { outcome: 'reversed', code: null, reason: null, message: '', sessionId: null } as const;
  const reported = NOTHING_REPORTED;
  const lines = [settled, returned].map((one) => ({ reference: one.rail_reference }));
  await importText(fixture.deps, merchant, csvOf(lines, fixture.clock.now()));
  await applyOutcome(
    fixture.deps,
    returned,
    { ...said, reported, at: fixture.clock.now() },
    { kind: 'PROVIDER_WEBHOOK' },
  );
  const back = [{ reference: returned.rail_reference, status: 'reversed' }];
  await importText(fixture.deps, merchant, csvOf(back, fixture.clock.now()));
  const failed = await payNow({ 'x-sandbox-scenario': 'failed-do-not-honour' });
  const decided = await payNow({ 'x-sandbox-scenario': 'timeout-executed' });
  const { tenant } = merchant;
  const proposal = { tenant, payoutId: decided.id, outcome: 'SUCCEEDED', source: 'BANK_LETTER' } as const;
  const note = 'Letter of the bank of today';
  const proposed = await proposeOutcome(fixture.deps, { ...proposal, note, personId: people.ada });
  await confirmOutcome(fixture.deps, { tenant, ...proposed, personId: people.bola });
  payouts = { paid: await payNow(), settled, returned, failed, decided };
  await tellSome();
  item = (await first(
    `select id from batch_items where batch_id = '${idOf(batches.paid)}' and position = 2`,
  )) as string;
});
afterAll(() => fixture.close());

async function first(sql: string): Promise<unknown> {
  const { rows } = await fixture.database.pool.query(sql);
  return Object.values(rows[0] ?? {})[0];
}

let payrolls = 0;
/** A batch that holds its money; whoever wants its payouts works it off. */
async function dispatched(count: number): Promise<string> {
  payrolls += 1;
  const amount = 1_000 * payrolls;
  const made = await merchant.call('POST', '/payout/bulk', { items: items(count).map((one) => ({ ...one, amount })) });
  const { batchReference } = made.body.data;
  await fixture.worker.runOnce();
  const reply = await merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return batchReference;
}

const idOf = (batchReference: string) => {
  const hex = batchReference.slice(-32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .join('-')
    .toLowerCase();
};

/** Paid through the steps of a worker, but for batches: one of them has to wait. */
async function payNow(headers = {}): Promise<PayoutRecord> {
  const inAnHour = new Date(fixture.clock.now().getTime() + 3_600_000);
  await fixture.database.pool.query('update batch_chunks set due_at = $1 where due_at is not null', [inAnHour]);
  return pay(fixture, merchant, {}, headers);
}

async function tellSome(): Promise<void> {
  const of = `merchant_id = '${merchant.merchantId}' and mode = 'SANDBOX'`;
  await fixture.database.pool.query(`
    insert into webhook_endpoints (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
    values ('${merchant.merchantId}', 'SANDBOX', '${newId()}', 'https://shop.example', 'ENABLED', 3, 0, now(), now())
    on conflict (merchant_id, mode) do update set cursor_sequence = 3`);
  await fixture.database.pool.query(`
    insert into webhook_deliveries (merchant_id, mode, id, sequence, type, status, attempts, last_attempt_id, delivered_at, created_at)
    select merchant_id, mode, id, sequence, type, 'DELIVERED', 1, id, now(), now() from events where ${of} and sequence <= 3`);
}

const m = () => `merchant_id = '${merchant.merchantId}' and mode = 'SANDBOX'`;
const batch = (name: keyof typeof batches) => `${m()} and id = '${idOf(batches[name])}'`;
const chunk = (name: keyof typeof batches) => `${m()} and batch_id = '${idOf(batches[name])}'`;
const key = (name: keyof typeof payouts) => `${m()} and subject_id = '${payouts[name].id}' and scope = 'PAID'`;
const attempt = (name: keyof typeof payouts) => `${m()} and payout_id = '${payouts[name].id}'`;

const corruptions: Corruption[] = [
  {
    what: 'a chunk that was expanded and holds its money still',
    sql: () => [`update batch_chunks set due_at = null where ${chunk('waiting')}`],
    broken: ['day-limits-count-what-is-paid', 'batches-hold-keys-until-expanded', 'items-become-payouts-once-expanded'],
  },
  {
    what: 'a chunk that waits and holds nothing',
    sql: () => [`update batch_chunks set due_at = now() where ${chunk('paid')}`],
    broken: ['day-limits-count-what-is-paid', 'batches-hold-keys-until-expanded', 'items-become-payouts-once-expanded'],
  },
  {
    what: 'a chunk that lost a hold',
    sql: () => [`update batch_chunks set fee_hold_id = null where ${chunk('waiting')}`],
    broken: ['payouts-hold-what-they-cost'],
  },
  {
    what: 'a hold of a chunk that was posted',
    sql: () => [
      `update transfers set kind = 'POST' where kind = 'VOID' and code = 'PAYOUT' and transaction_id = (
         select id from batch_chunks where ${chunk('paid')})`,
    ],
    broken: [
      'accounts-equal-transfers',
      'transfers-follow-each-other',
      'transfers-belong-to-transactions',
      'holds-end-as-their-payouts-did',
    ],
  },
  {
    what: 'a payout with another reference than its own',
    sql: () => [`update payouts set rail_reference = '${newId()}' where id = '${payouts.paid.id}'`],
    broken: ['payouts-have-one-reference', 'answers-are-about-what-was-sent'],
  },
  {
    what: 'a payout that a second rail sent after a silence of the first',
    sql: () => [
      `update payout_attempts set outcome = 'unknown', reason = 'RAIL_TIMEOUT' where ${attempt('settled')}`,
      `insert into payout_attempts select merchant_id, mode, payout_id, '${newId()}', 'SEND', started_at, ended_at,
         'succeeded', code, null, message, session_id, 'second' from payout_attempts where ${attempt('settled')} limit 1`,
      `update payouts set rail = 'second', ended_by = 'second' where id = '${payouts.settled.id}'`,
    ],
    broken: ['second-rails-follow-a-refusal'],
  },
  {
    what: 'a success that no rail said',
    sql: () => [`delete from payout_attempts where ${attempt('paid')}`],
    broken: ['payouts-end-by-a-provider-response'],
  },
  {
    what: 'a success by a notice that was not believed',
    sql: () => [
      `update payout_attempts set kind = 'PROVIDER_WEBHOOK', reason = 'PROVIDER_WEBHOOK_OTHER_RAIL' where ${attempt('paid')}`,
    ],
    broken: ['payouts-end-by-a-provider-response'],
  },
  {
    what: 'a failure that the rail called a success',
    sql: () => [`update payout_attempts set outcome = 'succeeded' where ${attempt('failed')}`],
    broken: ['payouts-end-by-a-provider-response'],
  },
  ...(
    [
      ['amount', 'amountMinor', '1'],
      ['currency', 'currency', 'GHS'],
      ['account', 'accountNumber', '9876543210'],
      ['reference', 'railReference', 'x'],
    ] as const
  ).map(([what, fact, value]) => ({
    what: `a success that was believed of another ${what}`,
    sql: () => [
      `update payout_attempts set reported = jsonb_set(reported::jsonb, '{${fact}}', '"${value}"')::text
         where ${attempt('paid')}`,
    ],
    broken: ['answers-are-about-what-was-sent'],
  })),
  {
    what: 'an outcome that one person proposed and confirmed',
    sql: () => [
      'alter table outcome_proposals drop constraint outcome_proposals_two_people',
      `update outcome_proposals set decided_by = proposed_by where ${attempt('decided')}`,
    ],
    broken: ['outcomes-are-decided-by-two'],
  },
  {
    what: 'an outcome that was confirmed by a merchant’s person',
    sql: () => [
      `update people set kind = 'MEMBER', merchant_id = '${merchant.merchantId}' where id = '${people.bola}'`,
    ],
    broken: ['outcomes-are-decided-by-two'],
  },
  {
    what: 'a decision of the operator that nobody proposed',
    sql: () => [`delete from outcome_proposals where ${attempt('decided')}`],
    broken: ['outcomes-are-decided-by-two'],
  },
  {
    what: 'a decided outcome with another note than was proposed',
    sql: () => [`update outcome_proposals set note = 'Nobody said so' where ${attempt('decided')}`],
    broken: ['proposals-are-what-was-proposed'],
  },
  {
    what: 'a day on which more is counted than was paid',
    sql: () => [`update limit_usage set used_minor = used_minor + 1 where ${m()} and scope = 'PAYOUT_DAY'`],
    broken: ['day-limits-count-what-is-paid'],
  },
  {
    what: 'a payout that was counted on no day',
    sql: () => [`update payouts set counted_on = null where id = '${payouts.paid.id}'`],
    broken: ['day-limits-count-what-is-paid'],
  },
  {
    what: 'a dedupe key of nobody',
    sql: () => [
      `insert into dedupe_keys select merchant_id, mode, '${newId()}', scope, value, batch_id, from_at, until_at,
      window_seconds, true, sequence from dedupe_keys where ${key('paid')}`,
    ],
    broken: ['dedupe-keys-are-of-payouts'],
  },
  {
    what: 'a dedupe key that a failed payout kept',
    sql: () => [`update dedupe_keys set subject_id = '${payouts.failed.id}' where ${key('settled')}`],
    broken: ['dedupe-keys-are-of-payouts'],
  },
  {
    what: 'a payout that is paid without a dedupe key',
    sql: () => [`delete from dedupe_keys where ${key('paid')}`],
    broken: ['dedupe-keys-are-of-payouts'],
  },
  {
    what: 'a dedupe key of another amount than its payout’s',
    sql: () => [`update dedupe_keys set value = replace(value, ':100000:', ':100001:') where ${key('paid')}`],
    broken: ['dedupe-keys-are-of-payouts'],
  },
  {
    what: 'a payout that repeats another and was not meant',
    sql: () => [
      `update dedupe_keys set is_meant = false where ${m()} and subject_id in (
      '${payouts.paid.id}', '${payouts.settled.id}')`,
    ],
    broken: ['nothing-is-paid-twice-unless-meant'],
  },
  {
    what: 'a batch that forgot to hold keys',
    sql: () => [`update batches set holds_keys = false where ${batch('waiting')}`],
    broken: ['batches-hold-keys-until-expanded'],
  },
  {
    what: 'a batch that never lets go of its keys',
    sql: () => [`update batches set holds_keys = true where ${batch('paid')}`],
    broken: ['batches-hold-keys-until-expanded'],
  },
  {
    what: 'items of no batch',
    sql: () => [
      `insert into batch_items (merchant_id, mode, id, batch_id, position, amount_minor, bank_code, account_number, narration, is_valid, created_at)
       values ('${merchant.merchantId}', 'SANDBOX', '${newId()}', '${newId()}', 1, 100, '058', '1', 'x', false, now())`,
    ],
    broken: ['items-belong-to-batches'],
  },
  {
    what: 'a batch that lost count of its valid items',
    sql: () => [`update batches set valid_items = valid_items - 1 where ${batch('paid')}`],
    broken: ['batches-count-their-items'],
  },
  {
    what: 'a batch that lost an item',
    sql: () => [
      `insert into batch_items (merchant_id, mode, id, batch_id, position, amount_minor, bank_code, account_number, narration, is_valid, created_at)
       values ('${merchant.merchantId}', 'SANDBOX', '${newId()}', '${idOf(batches.paid)}', 9, 100, '058', '1', 'x', false, now())`,
    ],
    broken: ['batches-count-their-items'],
  },
  {
    what: 'a batch that counted a success as a failure',
    sql: () => [
      `update batches set succeeded_items = succeeded_items - 1, failed_items = failed_items + 1 where ${batch('paid')}`,
    ],
    broken: ['batches-count-their-payouts'],
  },
  {
    what: 'a batch that was completed with payouts open',
    sql: () => [`update batches set status = 'COMPLETED' where ${batch('waiting')}`],
    broken: ['batches-count-their-payouts'],
  },
  {
    what: 'a batch that says it cost more than it did',
    sql: () => [`update batches set fee_minor = fee_minor + 1 where ${batch('paid')}`],
    broken: ['batch-totals-are-those-of-their-payouts'],
  },
  {
    what: 'a chunk of another sum than its items',
    sql: () => [`update batch_items set amount_minor = amount_minor + 1 where id = '${item}'`],
    broken: ['chunks-come-to-their-items', 'items-become-payouts-once-expanded'],
  },
  {
    what: 'an item to another account than was dispatched',
    sql: () => [`update batch_items set account_number = '9876543210' where ${chunk('waiting')} and position = 1`],
    broken: ['chunks-are-what-was-dispatched'],
  },
  {
    what: 'an item of an expanded chunk without a payout of its batch',
    sql: () => [`update payouts set batch_id = null where id = '${item}'`],
    broken: [
      'dedupe-keys-are-of-payouts',
      'batches-count-their-payouts',
      'batch-totals-are-those-of-their-payouts',
      'items-become-payouts-once-expanded',
    ],
  },
  {
    what: 'a settled payout that failed',
    sql: () => [`update payout_settlements set payout_id = '${payouts.failed.id}' where ${attempt('settled')}`],
    broken: ['settlements-are-of-paid-payouts'],
  },
  {
    what: 'a return that was settled without its payment',
    sql: () => [`delete from payout_settlements where ${attempt('returned')} and kind = 'PAID'`],
    broken: ['settlements-are-of-paid-payouts', 'settlement-transfers-come-to-their-payouts'],
  },
  {
    what: 'a payment that a return made good and that moved nothing',
    sql: () => [`update payout_settlements set transfer_id = null where ${attempt('returned')} and kind = 'PAID'`],
    broken: ['settlements-are-of-paid-payouts', 'settlement-transfers-come-to-their-payouts'],
  },
  {
    what: 'a settlement that moved the money of a payout that it does not name',
    sql: () => [`delete from payout_settlements where ${attempt('settled')}`],
    broken: ['settlement-transfers-come-to-their-payouts'],
  },
  {
    what: 'a payment that was settled the wrong way round',
    sql: () => [`update payout_settlements set kind = 'RETURNED' where ${attempt('settled')}`],
    broken: ['settlements-are-of-paid-payouts', 'settlement-transfers-come-to-their-payouts'],
  },
  {
    what: 'a delivery under another id than its event’s',
    sql: () => [`update webhook_deliveries set id = '${newId()}' where ${m()} and sequence = 2`],
    broken: ['deliveries-are-of-their-events'],
  },
  {
    what: 'a delivery of another event',
    sql: () => [`update webhook_deliveries set type = 'payout.failed' where ${m()} and sequence = 2`],
    broken: ['deliveries-are-of-their-events'],
  },
  {
    what: 'an endpoint that was sent what has not happened',
    sql: () => [`update webhook_endpoints set cursor_sequence = 1000000 where ${m()}`],
    broken: ['endpoints-are-sent-what-happened'],
  },
  {
    what: 'an endpoint that would be sent events again',
    sql: () => [`update webhook_endpoints set cursor_sequence = 1 where ${m()}`],
    broken: ['endpoints-are-sent-what-happened'],
  },
];

describe('right payouts, batches, settlements and deliveries', () => {
  it('are proven', async () => {
    expect((await verifyBooks(fixture.database)).checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('are there to be broken', async () => {
    const statuses = await fixture.database.pool.query(
      `select status, count(*)::int as payouts from transactions where ${m()} and category = 'PAYOUT' group by 1 order by 1`,
    );
    expect(statuses.rows).toEqual([
      { status: 'FAILED', payouts: 1 },
      { status: 'REVERSED', payouts: 1 },
      { status: 'SUCCESS', payouts: 7 },
    ]);
    expect(await first(`select status from batches where ${batch('paid')}`)).toBe('COMPLETED');
    expect(await first(`select count(*)::int from batch_chunks where ${chunk('waiting')} and due_at is not null`)).toBe(
      1,
    );
  });
});

describe('wrong ones are found:', () => {
  it.each(corruptions)('$what', async ({ sql, broken }) => {
    const report = await verifyAfter(fixture.database, sql());
    expect(brokenIn(report)).toEqual(expect.arrayContaining(broken));
    for (const { examples } of report.checks) {
      for (const { merchantId, detail } of examples) expect([merchantId, detail]).not.toContain(null);
    }
  });

  it('every check of payouts is broken by one of these', () => {
    const broken = new Set(corruptions.flatMap((corruption) => corruption.broken));
    expect(CHECKS_OF_PAYOUTS.filter((name) => !broken.has(name))).toEqual([]);
  });
});
