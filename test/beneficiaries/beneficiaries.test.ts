import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  approve,
  type Business,
  business,
  codeOf,
  createTestApp,
  expectBooksRight,
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
    expect(added.body.data, added.text).toMatchObject({ nickname: 'Landlord', status: 'ACTIVE', approvalId: null });
    const { beneficiaryId, accountName } = added.body.data;
    expect(accountName).not.toBe('');
    for (const search of ['land', accountName.slice(0, 4).toLowerCase(), '345678', '']) {
      expect((await list(shop, search)).totalRecords).toBe(1);
    }
    for (const search of ['%', '_', 'nobody']) expect((await list(shop, search)).totalRecords).toBe(0);
    expect((await remove(shop, beneficiaryId)).body.data.status).toBe('REMOVED');
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
