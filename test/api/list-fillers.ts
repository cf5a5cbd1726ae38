import { randomInt } from 'node:crypto';
import { newId } from '../../src/platform/ids.ts';
import { insertRequests } from '../../src/request-log/queries.ts';
import { payment, personOf } from '../approvals/approval-fixture.ts';
import type { TestApp, TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator } from '../support/people.ts';
import { bearer, rowsOf } from '../support/world.ts';
import {
  asMerchant,
  audit,
  byField,
  copier,
  disputesOf,
  earlier,
  type Filler,
  type Listed,
  MINUTE_MS,
  madeUp,
  paymentsIn,
  times,
} from './filled-list.ts';
import { OPERATOR_FILLERS } from './operator-fillers.ts';
import { SETTLEMENT_FILLERS } from './settlement-fillers.ts';

async function refundsOf(t: TestApp, merchant: TestMerchant) {
  const { get, post } = asMerchant(t, merchant);
  await paymentsIn(t, merchant, (id) => ({ id }));
  const [{ paymentId }] = (await get('/collection/payment')).body.data.records;
  await post(`/collection/payment/${paymentId}/refund`, { pin: merchant.pin });
  const copy = copier(t, 'refunds', 'merchant_id = $1', [merchant.merchantId]);
  const add = async (count: number): Promise<void> => {
    await copy(times(count, (at) => ({ id: at % 2 === 0 ? newId() : madeUp(), due_at: null })));
  };
  return { get, add };
}

/** A payout that waits for a day that is far ahead. */
const later = () => payment({ scheduledFor: new Date(Date.now() + 86_400_000).toISOString() });

/** By the path that the document has. A list that is not here fails the test that reads them all. */
export const FILLERS: Record<string, Filler> = {
  ...OPERATOR_FILLERS,
  ...SETTLEMENT_FILLERS,
  '/transaction': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const debit = { pin: merchant.pin, amount: 1, storeId: merchant.storeIds[0], narration: 'Sweep' };
    const { transactionId } = await post('/branch/store/debit', debit);
    const copy = copier(t, 'transactions', 'id = $1', [transactionId]);
    const add = (count: number) =>
      copy(
        times(count, (at) =>
          at % 2 === 0 ? { id: newId(), created_at: new Date() } : { id: madeUp(), created_at: earlier().at },
        ),
      );
    return { get, path: '/transaction', key: byField('transactionId'), add: async (count) => void (await add(count)) };
  },
  '/collection/payment': async (t, merchant) => {
    const add = await paymentsIn(t, merchant, (id) => ({ id }));
    return { get: asMerchant(t, merchant).get, path: '/collection/payment', key: byField('paymentId'), add };
  },
  '/collection/refund': async (t, merchant) => {
    const { get, add } = await refundsOf(t, merchant);
    return { get, path: '/collection/refund', key: byField('refundId'), add };
  },
  '/collection/reserve/payment': async (t, merchant) => {
    const day = (at: number) => ['2026-12-01', '2026-12-02', '2027-01-15'][at % 3];
    const one = { mode: 'SANDBOX', wallet_id: merchant.walletId, rule_id: newId(), amount_minor: 100 };
    const sql = `insert into reserves (merchant_id, mode, payment_id, wallet_id, rule_id, amount_minor, kept_at, release_on, due_at)
      select $1, r.mode, r.payment_id, r.wallet_id, r.rule_id, r.amount_minor, now(), r.release_on, '2100-01-01'
        from jsonb_to_recordset($2::jsonb) r (mode text, payment_id uuid, wallet_id uuid, rule_id uuid, amount_minor bigint, release_on date)`;
    const add = async (count: number): Promise<void> => {
      const rows = times(count, (at) => ({ ...one, payment_id: madeUp(), release_on: day(at) }));
      await rowsOf(t.connectionString, sql, [merchant.merchantId, JSON.stringify(rows)]);
    };
    return { get: asMerchant(t, merchant).get, path: '/collection/reserve/payment', key: byField('paymentId'), add };
  },
  '/collection/refund/rule/payment': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
    const set = await owner.call('PATCH', '/collection/refund/rule', { late: 'PROVIDER', pin: merchant.pin });
    if (set.status !== 200) throw new Error(set.text);
    const customer = { name: 'Ada Obi', email: 'ada@example.com' };
    const { sessionId, accounts } = await post('/collection/session', { amount: 5, customer });
    await post(`/collection/session/${sessionId}/cancel`, {});
    await post('/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 5 });
    await t.app.worker.runOnce();
    const copy = copier(t, 'payments_to_refund', 'merchant_id = $1', [merchant.merchantId]);
    const add = async (count: number): Promise<void> => {
      await copy(times(count, (at) => ({ id: at % 2 === 0 ? newId() : madeUp(), due_at: null })));
    };
    return { get, path: '/collection/refund/rule/payment', key: byField('paymentId'), add };
  },
  '/operator/refund': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const { add } = await refundsOf(t, merchant);
    return { get: (address) => operator.call('GET', address), path: '/operator/refund', key: byField('refundId'), add };
  },
  '/collection/account': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const { customerId } = await post('/customer', { name: 'Ada Obi', email: 'ada@example.com' });
    const { virtualAccountId } = await post('/collection/account', { customerId });
    const copy = copier(t, 'virtual_accounts', 'id = $1', [virtualAccountId]);
    const one = (at: number) => {
      const made = at % 2 === 0 ? { id: newId(), at: new Date().toISOString() } : earlier();
      return { id: made.id, requested_at: made.at, customer_id: newId() };
    };
    return {
      get,
      path: '/collection/account',
      key: byField('virtualAccountId'),
      add: async (count) => void (await copy(times(count, one))),
    };
  },
  '/collection/session': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const asked = { amount: 5, customer: { name: 'Ada Obi', email: 'ada@example.com' } };
    const { sessionId } = await post('/collection/session', asked);
    const copy = copier(t, 'payment_sessions', 'id = $1', [sessionId]);
    const add = (count: number) =>
      copy(times(count, (at) => ({ id: at % 2 === 0 ? newId() : earlier().id, reference: madeUp() })));
    return {
      get,
      path: '/collection/session',
      key: byField('sessionId'),
      add: async (count) => void (await add(count)),
    };
  },
  '/collection/link': async (t, merchant) => {
    const { get, each } = asMerchant(t, merchant);
    const add = each('/collection/link', (at) => ({ title: `Fees ${at}`, amount: 5 }));
    return { get, path: '/collection/link', key: byField('linkId'), add };
  },
  '/customer': async (t, merchant) => {
    const { get, each } = asMerchant(t, merchant);
    const add = each('/customer', (at) => ({ name: `${'ABCXYZ'[at % 6]} ${madeUp()}`, email: 'a@b.example' }));
    return { get, path: '/customer', key: byField('customerId'), add };
  },
  '/wallet/merchant/statement': async (t, merchant) => {
    const { get, each } = asMerchant(t, merchant);
    const add = each('/sandbox/wallet/fund', () => ({ walletId: merchant.walletId, amount: 1 }));
    return { get, path: '/wallet/merchant/statement', key: byField('transactionId'), add };
  },
  '/wallet/{walletId}/statement': async (t, merchant) => {
    const { get, post, each } = asMerchant(t, merchant);
    const { walletId } = await post('/branch/store', { name: 'Yaba' });
    const add = each('/sandbox/wallet/fund', () => ({ walletId, amount: 1 }));
    return { get, path: `/wallet/${walletId}/statement`, key: byField('transactionId'), add };
  },
  '/branch/store': async (t, merchant) => {
    const { get, each } = asMerchant(t, merchant);
    return {
      get,
      path: '/branch/store',
      key: byField('storeId'),
      add: each('/branch/store', (at) => ({ name: `Shop ${at}` })),
    };
  },
  '/subaccount': async (t, merchant) => {
    const { get, each } = asMerchant(t, merchant);
    return {
      get,
      path: '/subaccount',
      key: byField('subaccountId'),
      add: each('/subaccount', (at) => ({ name: `Fund ${at}` })),
    };
  },
  '/bank': async (t, merchant) => {
    const copy = copier(t, 'banks', 'active', []);
    // None of the directory begins with such a digit.
    const codes = new Set<string>();
    const add = async (count: number) => {
      const code = (): string => {
        const made = String(randomInt(700_000, 900_000));
        return codes.has(made) ? code() : codes.add(made) && made;
      };
      await copy(
        times(count, (at) => ({
          code: code(),
          nip_code: null,
          name: `${'ABCXYZ'[at % 6]} ${madeUp()}`,
        })),
      );
      t.clock.advance(2 * MINUTE_MS);
    };
    return { get: asMerchant(t, merchant).get, path: '/bank', key: byField('code'), add };
  },
  '/payout/single/schedule': async (t, merchant) => {
    const { get, each } = asMerchant(t, merchant);
    return {
      get,
      path: '/payout/single/schedule',
      key: byField('scheduleId'),
      add: each('/payout/single/schedule', later),
    };
  },
  '/payout/bulk': async (t, merchant) => {
    const { get, each } = asMerchant(t, merchant);
    const items = [{ amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'x' }];
    return { get, path: '/payout/bulk', key: byField('id'), add: each('/payout/bulk', () => ({ items })) };
  },
  '/payout/bulk/{batchReference}/item': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const item = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'x' };
    const { batchReference } = await post('/payout/bulk', { items: times(25, () => item) });
    const path = `/payout/bulk/${batchReference}/item`;
    const disturb = async () => {
      const { records } = (await get(`${path}?size=200`)).body.data;
      const { id } = records[Math.floor(Math.random() * records.length)];
      const changed = { bulkPayoutItemId: id, amount: Math.floor(Math.random() * 1_000) };
      await t.call('PATCH', '/payout/bulk/item', changed, bearer(merchant.secretKey));
    };
    return { get, path, key: byField('id'), add: async () => undefined, disturb };
  },
  '/payout/bulk/{batchReference}/difference/item': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const item = (at: number, shift: number) => ({
      ...{ amount: 1_000, bankCode: '058', accountNumber: String(1_000_000_000 + at + shift), narration: 'x' },
      accountName: `Ada ${at}`,
    });
    const earlier = await post('/payout/bulk', { items: times(25, (at) => item(at, 0)) });
    await t.app.worker.runOnce();
    await post('/payout/bulk/dispatch', { pin: merchant.pin, batchReference: earlier.batchReference });
    for (let rounds = 0; rounds < 4; rounds += 1) await t.app.worker.runOnce();
    const { batchReference } = await post('/payout/bulk', {
      items: times(25, (at) => item(at, at % 2 === 0 ? 0 : 500)),
    });
    const path = `/payout/bulk/${batchReference}/difference/item`;
    const key = ({ now, before }: Listed) => String(now?.itemId ?? before?.itemId);
    // An account of the earlier list that nobody has now is another one's no more: no row comes or goes.
    return { get, path, key, add: async () => undefined };
  },
  '/approval': async (t, merchant) => {
    const owner = await personOf(t, merchant, 'OWNER');
    await personOf(t, merchant, 'APPROVER');
    const rules = { isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 1 }] };
    await owner.call('PATCH', '/approval/rules', rules);
    const { get, post } = asMerchant(t, merchant);
    const { approvalId } = await post('/payout/single', payment());
    const copy = copier(t, 'approvals', 'id = $1', [approvalId]);
    const add = async (count: number) =>
      void (await copy(times(count, (at) => ({ id: at % 2 === 0 ? newId() : earlier().id }))));
    return { get, path: '/approval', key: byField('approvalId'), add };
  },
  '/beneficiary': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const account = { bankCode: '058', accountNumber: '0123456785' };
    const { beneficiaryId } = await post('/beneficiary', { ...account, nickname: 'Landlord' });
    const copy = copier(t, 'beneficiaries', 'id = $1', [beneficiaryId]);
    const add = async (count: number) => {
      const number = () => String(Math.floor(1e9 + Math.random() * 8e9));
      // Two in five share a name.
      await copy(
        times(count, (at) => ({ id: newId(), account_number: number(), nickname: at % 5 < 2 ? 'Ada' : madeUp() })),
      );
    };
    return { get, path: '/beneficiary', key: byField('beneficiaryId'), add };
  },
  '/beneficiary/{beneficiaryId}/payout': async (t, merchant) => {
    const { get, post } = asMerchant(t, merchant);
    const { beneficiaryId } = await post('/beneficiary', { bankCode: '058', accountNumber: '0123456785' });
    const { transactionId } = await post('/payout/single', payment());
    const copy = copier(t, 'transactions', 'id = $1', [transactionId]);
    const add = async (count: number) => {
      const changes = times(count, (at) =>
        at % 2 === 0 ? { id: newId(), created_at: new Date() } : { id: madeUp(), created_at: earlier().at },
      );
      await copy(changes);
    };
    return { get, path: `/beneficiary/${beneficiaryId}/payout`, key: byField('transactionId'), add };
  },
  '/webhook/delivery': async (t, merchant) => {
    const { merchantId } = merchant;
    let sequence = 1_000_000;
    const sql = `with made as (select * from jsonb_to_recordset($2::jsonb) m (id uuid, attempt uuid, sequence bigint)),
        attempts as (
          insert into webhook_attempts (merchant_id, mode, delivery_id, id, kind, started_at, duration_ms, status_code)
          select $1, 'SANDBOX', id, attempt, 'SCHEDULED', now(), 5, 200 from made)
      insert into webhook_deliveries (merchant_id, mode, id, sequence, type, status, attempts, last_attempt_id,
          delivered_at, created_at)
      select $1, 'SANDBOX', id, sequence, 'payout.succeeded', 'DELIVERED', 1, attempt, now(), now() from made`;
    const add = async (count: number) => {
      const made = times(count, () => ({ id: newId(), attempt: newId(), sequence: ++sequence }));
      await rowsOf(t.connectionString, sql, [merchantId, JSON.stringify(made)]);
    };
    return { get: asMerchant(t, merchant).get, path: '/webhook/delivery', key: byField('id'), add };
  },
  '/audit': async (t, merchant) => {
    const owner = await personOf(t, merchant, 'OWNER');
    const add = (count: number) => audit(t, merchant.merchantId, count);
    return { get: (address) => owner.call('GET', address), path: '/audit', key: byField('entryId'), add };
  },
  '/request-log': async (t) => {
    // For whom no program asks anything: that is written a second later.
    const merchant = await t.addMerchant({ mode: 'LIVE' });
    const owner = await personOf(t, merchant, 'OWNER');
    const nothing = { idempotency_key: null, replayed: false, about: null };
    const answered = { status: 200, code: null, duration_ms: 1, ip: '::1', ...nothing };
    const request = { method: 'GET', route: '/x', url: '/x', ...answered };
    const of = { merchant_id: merchant.merchantId, mode: 'SANDBOX' as const, key_id: newId() };
    const add = (count: number) =>
      t.database.run(
        insertRequests,
        times(count, (at) => {
          const late = earlier();
          const id = at % 2 === 0 ? newId() : late.id;
          return { ...of, ...request, id, request_id: id, at: at % 2 === 0 ? new Date().toISOString() : late.at };
        }),
      );
    return { get: (address) => owner.call('GET', address), path: '/request-log', key: byField('requestId'), add };
  },
  '/collection/dispute': async (t, merchant) => {
    const { get, add } = await disputesOf(t, merchant);
    return { get, path: '/collection/dispute', key: byField('disputeId'), add };
  },
};
