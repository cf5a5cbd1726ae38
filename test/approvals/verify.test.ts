import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenIn, CHECKS_OF_APPROVALS, verifyAfter } from '../ledger/corruption.ts';
import { TEST_PIN } from '../support/app.ts';
import { approve, business, createTestApp, expectBooksRight, type TestApp, waitingPayout } from './approval-house.ts';

let t: TestApp;
let paid: { transactionId: string; approvalId: string };
let open: { transactionId: string; approvalId: string };
let free: string;
let batchId: string;
let strangerId: string;
let makerId: string;
let merchantId: string;

beforeAll(async () => {
  t = await createTestApp();
  const shop = await business(t);
  const other = await business(t, []);
  strangerId = other.owner.personId;
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
      `update approval_rules set made_at = made_at - interval '1 hour'`,
      `update payouts set rules_version = 0 where id = '${free}'`,
    ],
  ],
  [
    'rules that nothing is held against',
    ['rules-of-approval-are-in-force'],
    () => [`delete from marks where scope = 'APPROVAL_RULES' and merchant_id = '${merchantId}' and mode = 'SANDBOX'`],
  ],
];

describe('the proof', () => {
  it('finds nothing where all went right', () => expectBooksRight(t));

  it.each(CORRUPTIONS)('finds %s', async (_what, broken, sql) => {
    expect(brokenIn(await verifyAfter(t.connectionString, t.database, sql()))).toEqual(broken);
  });

  it('has a corruption here for each of its checks of approvals', () => {
    const broken = new Set(CORRUPTIONS.flatMap(([, names]) => names));
    expect(CHECKS_OF_APPROVALS.filter((name) => !broken.has(name))).toEqual([]);
  });

  it('finds a hold that is missing while a payout waits for approval', async () => {
    const sql = [`update payouts set amount_hold_id = null, next_step = 'FIRE' where id = '${open.transactionId}'`];
    const broken = brokenIn(await verifyAfter(t.connectionString, t.database, sql));
    expect(broken).toContain('open-payouts-are-held');
  });
});
