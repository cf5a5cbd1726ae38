import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkApprovals } from '../../src/approvals/index.ts';
import { digestOf } from '../../src/approvals/shown-lines.ts';
import { verifyAll } from '../../src/verify/index.ts';
import { brokenIn, CHECKS_OF_APPROVALS, verifyAfter } from '../ledger/corruption.ts';
import { TEST_PIN } from '../support/app.ts';
import { moved } from '../support/moved.ts';
import { rowsOf } from '../support/world.ts';
import { approve, business, createTestApp, expectBooksRight, type TestApp, waitingPayout } from './approval-fixture.ts';

let t: TestApp;
let paid: { transactionId: string; approvalId: string };
let open: { transactionId: string; approvalId: string };
let free: string;
let batchId: string;
let strangerId: string;
let makerId: string;
let merchantId: string;
/** Well after the rules were made: a minute is for clocks. */
let later: string;

beforeAll(async () => {
  t = await createTestApp();
  later = new Date(t.clock.now().getTime() + 5 * 60_000).toISOString();
  const shop = await business(t);
  const other = await business(t, []);
  strangerId = other.owner.personId;
  for (const perPayout of [5_000, 6_000]) await other.owner.call('PATCH', '/payout/limit', { perPayout, perDay: null });
  merchantId = shop.merchant.merchantId;
  makerId = shop.maker.personId;
  paid = await waitingPayout(shop.maker.call);
  await approve(shop.ann, paid as never);
  open = await waitingPayout(shop.maker.call);
  const items = [{ amount: 500, bankCode: '058', accountNumber: '1234567890', narration: 'Salary' }];
  const batch = (await shop.byKey('POST', '/payout/bulk', { items })).body.data;
  batchId = batch.id;
  await t.app.worker.runOnce();
  const { batchReference } = batch;
  const sent = await shop.maker.call('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
  const { approvalId } = sent.body.data;
  const { digest } = (await shop.byKey('GET', `/approval/${approvalId}`)).body.data;
  await approve(shop.ann, { approvalId, digest });
  await t.app.worker.runOnce();
  const loose = await business(t, [{ fromAmount: 50_000, approvals: 1 }]);
  const small = { pin: TEST_PIN, amount: 100, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
  free = (await loose.byKey('POST', '/payout/single', small)).body.data.transactionId;
  await t.app.worker.runOnce();
});
afterAll(() => t.close());

const NEW_ID = '0198a000-0000-7000-8000-000000000001';

const CORRUPTIONS: [string, string[], () => string[]][] = [
  [
    'a payout that was sent while its approval was open',
    ['nothing-leaves-before-its-approval', 'approvals-are-given-by-others', 'what-waits-has-its-approval'],
    () => [`update approvals set status = 'PENDING' where id = '${paid.approvalId}'`],
  ],
  [
    'a payout of another amount than was approved',
    ['nothing-leaves-before-its-approval'],
    () => [`update approvals set amount_minor = amount_minor - 1 where id = '${paid.approvalId}'`],
  ],
  [
    'a batch that was dispatched by no approval that there is',
    ['nothing-leaves-before-its-approval'],
    () => [`update batches set approval_id = '${open.approvalId}' where id = '${batchId}'`],
  ],
  [
    'an approval that its maker gave',
    ['approvals-are-given-by-others'],
    () => [`update approval_decisions set person_id = '${makerId}' where approval_id = '${paid.approvalId}'`],
  ],
  [
    'an approval that somebody of another business gave',
    ['approvals-are-given-by-others'],
    () => [`update approval_decisions set person_id = '${strangerId}' where approval_id = '${paid.approvalId}'`],
  ],
  [
    'an approval of something else than was shown',
    ['approvals-are-given-by-others'],
    () => [`update approval_decisions set digest = 'x' where approval_id = '${paid.approvalId}'`],
  ],
  [
    'an approval with fewer people than it needs',
    ['approvals-are-given-by-others'],
    () => [`update approvals set needed = 2 where id = '${paid.approvalId}'`],
  ],
  [
    'a payout that says it needed no approval by rules that ask for one',
    ['rules-of-approval-were-followed'],
    () => [`update payouts set approval_id = null where id = '${paid.transactionId}'`],
  ],
  [
    'a payout that went by rules that were not in force any more',
    ['rules-of-approval-were-followed'],
    () => [
      `update approval_rules set made_at = ${moved('made_at', '-1 hour')}`,
      `update payouts set rules_version = 0 where id = '${free}'`,
    ],
  ],
  [
    'a payout to another account than was approved',
    [
      'answers-are-about-what-was-sent',
      'dedupe-keys-are-of-payouts',
      'nothing-leaves-before-its-approval',
      'what-was-approved-is-what-is-there',
    ],
    () => [`update transactions set beneficiary_account_number = '9876543210' where id = '${paid.transactionId}'`],
  ],
  [
    'a payout whose approval shows another account',
    ['nothing-leaves-before-its-approval', 'approvals-are-reported-as-they-are'],
    () => [`update approvals set shown = replace(shown, '0123456785', '9876543210') where id = '${paid.approvalId}'`],
  ],
  [
    'a payout whose approval shows its amount as something else',
    ['nothing-leaves-before-its-approval', 'approvals-are-reported-as-they-are'],
    () => [`update approvals set shown = replace(shown, '"amount"', '"other"') where id = '${paid.approvalId}'`],
  ],
  [
    'rules that switch approvals off without an approval',
    ['changes-of-rules-were-approved'],
    () => [
      `insert into approval_rules (merchant_id, mode, version, id, is_enabled, tiers, made_by, made_at)
         values ('${merchantId}', 'SANDBOX', 2, '${NEW_ID}', false, '[]', '${makerId}', '${later}')`,
      `update reservations set subject_id = '${NEW_ID}'
         where scope = 'APPROVAL_RULES' and merchant_id = '${merchantId}' and mode = 'SANDBOX'`,
    ],
  ],
  [
    'rules of the other mode that switch approvals off here, where they were on',
    ['changes-of-rules-were-approved'],
    () => [
      // In live mode nothing was on before them.
      `insert into approval_rules (merchant_id, mode, version, id, is_enabled, tiers, made_by, made_at)
         values ('${merchantId}', 'LIVE', 9, '${NEW_ID}', false, '[]', '${makerId}', '${later}'),
                ('${merchantId}', 'SANDBOX', 2, '${NEW_ID}', false, '[]', '${makerId}', '${later}')`,
      `update reservations set subject_id = '${NEW_ID}' where scope = 'APPROVAL_RULES' and merchant_id = '${merchantId}'`,
    ],
  ],
  [
    'rules that name an approval of something else',
    ['changes-of-rules-were-approved'],
    () => [`update approval_rules set approval_id = '${paid.approvalId}' where merchant_id = '${merchantId}'`],
  ],
  [
    'limits of the merchant’s own that nobody approved',
    ['changes-of-rules-were-approved'],
    () => [
      `insert into payout_limits (id, owner, merchant_id, mode, duplicate_window_seconds, effective_from, source)
         values ('${NEW_ID}', 'MERCHANT', '${merchantId}', 'SANDBOX', 0, '${later}', 'x')`,
    ],
  ],
  [
    'limits of the merchant’s own that were dated behind those set after them',
    ['changes-of-rules-were-approved'],
    () => [
      `update payout_limits set effective_from = ${moved('effective_from', '1 hour')} where per_payout_minor = 500000`,
    ],
  ],
  [
    'a beneficiary that nobody approved',
    ['changes-of-rules-were-approved'],
    () => [
      `insert into beneficiaries (merchant_id, mode, id, bank_code, bank_name, account_number, account_name, status,
                                  rules_version, created_at, updated_at)
         values ('${merchantId}', 'SANDBOX', '${NEW_ID}', '058', 'A bank', '0123456785', 'ADA OBI', 'ACTIVE', 1,
                 '${later}', '${later}')`,
    ],
  ],
  [
    'rules that nothing is held against',
    ['rules-of-approval-are-in-force'],
    () => [
      `delete from reservations where scope = 'APPROVAL_RULES' and merchant_id = '${merchantId}' and mode = 'SANDBOX'`,
    ],
  ],
];

describe('the proof', () => {
  it('finds nothing where all went right', () => expectBooksRight(t));

  it.each(CORRUPTIONS)('finds %s', async (_what, broken, sql) => {
    expect(brokenIn(await verifyAfter(t.database, sql()))).toEqual(expect.arrayContaining(broken));
  });

  it('has a corruption here for each of its checks of approvals', () => {
    const broken = new Set(CORRUPTIONS.flatMap(([, names]) => names));
    expect(CHECKS_OF_APPROVALS.filter((name) => !broken.has(name))).toEqual([]);
  });

  it('finds a hold that is missing while a payout waits for approval', async () => {
    const sql = [`update payouts set amount_hold_id = null, next_step = 'FIRE' where id = '${open.transactionId}'`];
    const broken = brokenIn(await verifyAfter(t.database, sql));
    expect(broken).toContain('payouts-hold-what-they-cost');
  });
});

describe('the proof of what was shown', () => {
  const faultsAfter = async (sql: string): Promise<string[]> => {
    class Undo extends Error {}
    const found: string[] = [];
    const altered = t.database.transaction(async (tx) => {
      expect((await tx.client.query(sql)).rowCount).toBe(1);
      for await (const { detail } of checkApprovals(tx)) found.push(detail);
      throw new Undo();
    });
    await expect(altered).rejects.toBeInstanceOf(Undo);
    return found;
  };
  const ofPaid = (change: string) => `update approvals set ${change} where id = '${paid.approvalId}'`;

  it.each([
    ['its text', `shown = replace(shown, '0123456785', '9876543210')`],
    ['its title', `title = 'Rent'`],
    ['its amount', 'amount_minor = amount_minor - 1'],
    ['its effect', `payload = '{"perDay":null}'`],
    ['its maker', `made_by = '0198a000-0000-7000-8000-000000000001'`],
    ['from where it was made', `made_ip = '203.0.113.7'`],
    ['when it was made', `made_at = ${moved('made_at', '-1 ms')}`],
    ['how many it needs', 'needed = 2'],
    ['its digest', `digest = repeat('0', 64)`],
  ])('finds an approval with %s altered', async (_what, change) => {
    const word = 'is not what has the digest that was shown';
    expect(await faultsAfter(ofPaid(change))).toEqual([`approval ${paid.approvalId} (APPROVED) ${word}`]);
  });

  it('finds nothing where nothing was altered, and is part of the whole proof', async () => {
    expect(await faultsAfter(ofPaid('updated_at = updated_at'))).toEqual([]);
    const { checks } = await verifyAll(t);
    expect(checks.find(({ name }) => name === 'approvals-are-what-was-shown')).toMatchObject({ ok: true });
  });

  it('leaves an approval of before the address was kept as it is', async () => {
    const { approvalId: id } = open;
    const [row] = await rowsOf<Parameters<typeof digestOf>[0]>(
      t.connectionString,
      'select * from approvals where id = $1',
      [id],
    );
    const before = { ...(row as Parameters<typeof digestOf>[0]), made_ip: null };
    const sql = `update approvals set made_ip = null, digest = '${digestOf(before)}' where id = '${id}'`;
    expect(await faultsAfter(sql)).toEqual([]);
  });
});
