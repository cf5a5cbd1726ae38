import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  approve,
  type Business,
  business,
  codeOf,
  createTestApp,
  expectBooksRight,
  payment,
  reject,
  type TestApp,
} from '../approvals/approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

const account = (fields = {}) => ({ bankCode: '058', accountNumber: '0123456785', ...fields });
const add = (shop: Business, fields = {}) => shop.maker.call('POST', '/beneficiary', account(fields));
const remove = (shop: Business, id: string) => shop.byKey('DELETE', `/beneficiary/${id}`);
const list = async (shop: Business, search = '') =>
  (await shop.byKey('GET', `/beneficiary?search=${encodeURIComponent(search)}`)).body.data;
const waiting = async (shop: Business) => {
  const { beneficiaryId, approvalId } = (await add(shop)).body.data;
  const { digest } = (await shop.byKey('GET', `/approval/${approvalId}`)).body.data;
  return { beneficiaryId, approvalId, digest };
};

describe('a beneficiary', () => {
  it('is kept with the name that its bank gives, found by any of its names, and removed at once', async () => {
    const shop = await business(t, []);
    const added = await add(shop, { nickname: 'Landlord' });
    expect(added.body.data, added.text).toMatchObject({
      nickname: 'Landlord',
      status: 'ACTIVE',
      conclusive: false,
      approvalId: null,
    });
    const { beneficiaryId, accountName } = added.body.data;
    expect(accountName).not.toBe('');
    for (const search of ['land', accountName.slice(0, 4).toLowerCase(), '345678', '']) {
      expect((await list(shop, search)).totalRecords).toBe(1);
    }
    for (const search of ['%', '_', 'nobody']) expect((await list(shop, search)).totalRecords).toBe(0);
    expect((await remove(shop, beneficiaryId)).body.data).toMatchObject({ status: 'REMOVED', conclusive: true });
    expect(codeOf(await remove(shop, beneficiaryId))).toBe('409 BENEFICIARY_ALREADY_REMOVED');
    expect((await list(shop)).records).toEqual([]);
  });

  it('is there once, however many add it at the same moment, and again once it was removed', async () => {
    const shop = await business(t, []);
    const replies = await Promise.all(Array.from({ length: 10 }, () => add(shop)));
    const codes = replies.map(codeOf);
    expect(codes.filter((code) => code === 'DONE')).toHaveLength(1);
    expect(new Set(codes.filter((code) => code !== 'DONE'))).toEqual(new Set(['409 BENEFICIARY_EXISTS']));
    const made = replies.find(({ status }) => status === 200)?.body.data;
    await remove(shop, made.beneficiaryId);
    expect(codeOf(await add(shop))).toBe('DONE');
  });

  it('is nobody else’s, and not one that a bank does not know', async () => {
    const shop = await business(t, []);
    const other = await business(t, []);
    const { beneficiaryId } = (await add(shop)).body.data;
    expect(codeOf(await remove(other, beneficiaryId))).toBe('404 BENEFICIARY_NOT_FOUND');
    expect((await list(other)).records).toEqual([]);
    expect(codeOf(await add(shop, { bankCode: '777777' }))).toBe('422 BANK_NOT_FOUND');
    expect(codeOf(await add(shop, { accountNumber: '12' }))).toBe('400 VALIDATION_FAILED');
    expect(codeOf(await shop.ann.call('POST', '/beneficiary', account()))).toBe('403 PERMISSION_NOT_GRANTED');
  });

  it('waits for somebody else where approvals are on', async () => {
    const shop = await business(t);
    const one = await waiting(shop);
    expect((await list(shop)).records).toMatchObject([{ status: 'PENDING_APPROVAL', approvalId: one.approvalId }]);
    expect(codeOf(await add(shop))).toBe('409 BENEFICIARY_EXISTS');
    expect(codeOf(await approve(shop.ann, one))).toBe('DONE');
    expect((await list(shop)).records).toMatchObject([{ status: 'ACTIVE' }]);
    await remove(shop, one.beneficiaryId);
    const two = await waiting(shop);
    expect(codeOf(await reject(shop.ann, two))).toBe('DONE');
    expect((await list(shop)).records).toEqual([]);
    const three = await waiting(shop);
    expect(codeOf(await remove(shop, three.beneficiaryId))).toBe('DONE');
    expect((await shop.byKey('GET', `/approval/${three.approvalId}`)).body.data).toMatchObject({ status: 'VOID' });
    expect(codeOf(await approve(shop.ann, three))).toBe('409 APPROVAL_CLOSED');
  });
});

describe('what was paid to a beneficiary', () => {
  const ACCOUNTS = ['0123456785', '0123456786'];

  /** Pays with the scenario of the sandbox's bank, and says how the payout stands in the end. */
  async function pay(shop: Business, accountNumber: string, amount: number, scenario: string): Promise<string> {
    const headers = { 'x-sandbox-scenario': scenario };
    const { body } = await shop.byKey('POST', '/payout/single', payment({ accountNumber, amount }), headers);
    await t.app.worker.runOnce();
    if (scenario === 'late-reversal') {
      await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 60 });
      await t.app.worker.runOnce();
    }
    return (await shop.byKey('GET', `/transaction/${body.data.transactionId}`)).body.data.status;
  }

  it('is all that went to the account and stayed there, however and whenever it was paid', async () => {
    const shop = await business(t, []);
    const other = await business(t, []);
    const model = new Map(ACCOUNTS.map((account) => [account, { paid: 0, total: 0, all: 0 }]));
    const plan = ['success', 'late-reversal', 'failed-do-not-honour', 'success', 'pending-forever', 'success'] as const;
    let made: { beneficiaryId: string } | undefined;
    for (const [at, scenario] of plan.entries()) {
      const accountNumber = ACCOUNTS[at % 3 === 0 ? 1 : 0] as string;
      const status = await pay(shop, accountNumber, 100.25 * (at + 1), scenario);
      expect([at, status]).toEqual([
        at,
        { 'late-reversal': 'REVERSED', 'failed-do-not-honour': 'FAILED', 'pending-forever': 'PROCESSING' }[
          scenario as string
        ] ?? 'SUCCESS',
      ]);
      const count = model.get(accountNumber) as { paid: number; total: number; all: number };
      count.all += 1;
      if (status === 'SUCCESS') {
        count.paid += 1;
        count.total += Math.round(10_025 * (at + 1));
      }
      // Saved between payouts: what was paid before counts too.
      if (at === 2) made = (await add(shop)).body.data;
    }
    // The same number at another bank, and the same account of another merchant, are others.
    await shop.byKey('POST', '/payout/single', payment({ bankCode: '044', amount: 9_999 }));
    await pay(other, '0123456785', 777, 'success');
    const second = (await add(shop, { accountNumber: ACCOUNTS[1] })).body.data;
    for (const [accountNumber, id] of [
      ['0123456785', made?.beneficiaryId],
      ['0123456786', second.beneficiaryId],
    ] as const) {
      const { paid, total, all } = model.get(accountNumber) as { paid: number; total: number; all: number };
      const { data } = (await shop.byKey('GET', `/beneficiary/${id}`)).body;
      expect(data).toMatchObject({ accountNumber, paidPayouts: paid, totalPaid: total / 100, totalIsExact: true });
      const walked = await walk(shop, `/beneficiary/${id}/payout?size=2`);
      expect(walked).toHaveLength(all);
      expect(walked.every((payout) => payout['beneficiaryAccountNumber'] === accountNumber)).toBe(true);
      const times = walked.map((payout) => String(payout['createdAt']));
      expect(times).toEqual([...times].sort().reverse());
      const paidAt = walked.filter(({ status }) => status === 'SUCCESS').map((payout) => payout['paidAt']);
      expect(data.lastPaidAt).toBe(paidAt[0]);
      const listed = (await list(shop)).records.find((one: { beneficiaryId: string }) => one.beneficiaryId === id);
      expect(listed.lastPaidAt).toBe(paidAt[0]);
    }
    for (const path of ['', '/payout']) {
      expect(codeOf(await other.byKey('GET', `/beneficiary/${made?.beneficiaryId}${path}`))).toBe(
        '404 BENEFICIARY_NOT_FOUND',
      );
    }
  });

  /** Every payout behind a path, page by page. */
  async function walk(shop: Business, path: string): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    for (let after = ''; ; ) {
      const { data } = (await shop.byKey('GET', `${path}${after}`)).body;
      found.push(...data.records);
      if (data.nextCursor === null) return found;
      after = `&after=${data.nextCursor}`;
    }
  }

  it('is a figure that says what it leaves out, beyond 10,000 payouts', async () => {
    const shop = await business(t, []);
    const { beneficiaryId } = (await add(shop)).body.data;
    expect(await pay(shop, '0123456785', 10, 'success')).toBe('SUCCESS');
    // Older copies of the one payout, without books behind them; they are gone before the books are proven.
    const copy = `insert into transactions
      select copy.*
        from transactions t, generate_series(1, $2::int) n,
             jsonb_populate_record(t, jsonb_build_object(
               'id', gen_random_uuid(), 'client_reference', 'copy', 'created_at', t.created_at - n * interval '1 s')) copy
       where t.merchant_id = $1 and t.category = 'PAYOUT' and t.client_reference is null`;
    const { merchantId } = shop.merchant;
    const read = async () => (await shop.byKey('GET', `/beneficiary/${beneficiaryId}`)).body.data;
    await t.database.pool.query(copy, [merchantId, 9_999]);
    expect(await read()).toMatchObject({ paidPayouts: 10_000, totalPaid: 100_000, totalIsExact: true });
    await t.database.pool.query(copy, [merchantId, 2]);
    expect(await read()).toMatchObject({ totalIsExact: false });
    await t.database.pool.query(`delete from transactions where merchant_id = $1 and client_reference = 'copy'`, [
      merchantId,
    ]);
  });
});
