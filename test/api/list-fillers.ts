import { randomBytes, randomInt } from 'node:crypto';
import { recordAudit } from '../../src/audit/index.ts';
import { makeMerchant } from '../../src/demo/index.ts';
import { keepPayoutDirectory } from '../../src/payout-directory/index.ts';
import { firstIdOf, newId } from '../../src/platform/ids.ts';
import { insertRequests } from '../../src/request-log/queries.ts';
import { payment, personOf } from '../approvals/approval-fixture.ts';
import { creditFields, sendCredit } from '../operator/credit-forms.ts';
import type { Reply, TestApp, TestMerchant } from '../support/app.ts';
import { signedInOperator } from '../support/people.ts';
import { bearer, rowsOf } from '../support/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Listed = any;

/** How a list of the API is read, what its rows are called, and how rows come to be in it. */
export interface FilledList {
  get: (address: string) => Promise<Reply>;
  /** With its placeholders filled. */
  path: string;
  key: (record: Listed) => string;
  /** Adds rows, at the end where the list begins and, where rows can, among those that are there. */
  add: (count: number) => Promise<void>;
  /** Without rows of its own that are written while it is read, what else happens to it. */
  disturb?: () => Promise<void>;
}

type Filler = (t: TestApp, merchant: TestMerchant) => Promise<FilledList>;

const MINUTE_MS = 60_000;

/** A moment of the last quarter of an hour, and an id as one that was made then: what commits late comes in among others. */
function earlier(): { at: string; id: string } {
  const at = new Date(Date.now() - Math.floor(Math.random() * 15 * MINUTE_MS));
  return { at: at.toISOString(), id: firstIdOf(at).slice(0, 19) + madeUp().slice(19) };
}

function madeUp(): string {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Copies the last row of a table, each time with other values. */
function copier(t: TestApp, table: string, where: string, values: unknown[]) {
  const sql = `insert into ${table} select copies.*
    from (select * from ${table} where ${where} limit 1) t
   cross join jsonb_array_elements($${values.length + 1}::jsonb) changed (row)
   cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || changed.row) copies`;
  return (changes: object[]) => rowsOf(t.connectionString, sql, [...values, JSON.stringify(changes)]);
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

function asMerchant(t: TestApp, merchant: TestMerchant) {
  const as = bearer(merchant.secretKey);
  const get = (address: string) => t.call('GET', address, undefined, as);
  const post = async (path: string, body: object): Promise<Listed> => {
    const reply = await t.call('POST', path, body, as);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return reply.body.data;
  };
  const each = (path: string, body: (at: number) => object) => async (count: number) => {
    for (let at = 0; at < count; at += 1) await post(path, body(at));
  };
  return { get, post, each };
}

const byField = (field: string) => (record: Listed) => String(record[field]);

const audit = async (t: TestApp, merchantId: string | null, count: number) => {
  const actor = { kind: 'PERSON', id: newId(), name: 'Ada', role: 'MAKER', sessionId: null } as const;
  const entry = { mode: null, action: 'POST /x', summary: 'x', outcome: 'DONE', code: null, subject: {} } as const;
  for (let at = 0; at < count; at += 1) {
    const visitor = { ip: null, userAgent: null, requestId: newId() };
    await recordAudit(t.database, { ...entry, ...visitor, merchantId, at: new Date(), actor });
  }
};

/** One payment from outside, and as many like it as are asked for. */
async function paymentsIn(t: TestApp, merchant: TestMerchant, change: (id: string, at: Date | string) => object) {
  const { get, post } = asMerchant(t, merchant);
  const { accounts } = (await get(`/wallet/${merchant.walletId}/account`)).body.data;
  await post('/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 5 });
  await t.app.worker.runOnce();
  const copy = copier(t, 'inbound_payments', 'merchant_id = $1', [merchant.merchantId]);
  return async (count: number) => {
    const made = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
    await copy(made.map(({ id, at }) => ({ provider_transaction_id: id, ...change(id, at) })));
  };
}

/** One dispute, and as many like it as are asked for. */
async function disputesOf(t: TestApp, merchant: TestMerchant) {
  const { get, post } = asMerchant(t, merchant);
  const { accounts } = (await get(`/wallet/${merchant.walletId}/account`)).body.data;
  await post('/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 5 });
  await t.app.worker.runOnce();
  const [{ paymentId }] = (await get('/collection/payment')).body.data.records;
  await post('/sandbox/collection/dispute', { paymentId });
  await t.app.worker.runOnce();
  const copy = copier(t, 'disputes', 'merchant_id = $1', [merchant.merchantId]);
  const add = async (count: number) => {
    const made = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
    await copy(made.map(({ id, at }) => ({ id, provider_dispute_id: id, opened_at: at })));
  };
  return { get, add };
}

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
    const { batchReference } = await post('/payout/bulk', { items: times(85, () => item) });
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
    const earlier = await post('/payout/bulk', { items: times(85, (at) => item(at, 0)) });
    await t.app.worker.runOnce();
    await post('/payout/bulk/dispatch', { pin: merchant.pin, batchReference: earlier.batchReference });
    for (let rounds = 0; rounds < 4; rounds += 1) await t.app.worker.runOnce();
    const { batchReference } = await post('/payout/bulk', {
      items: times(85, (at) => item(at, at % 2 === 0 ? 0 : 500)),
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
    const row = { merchant_id: merchantId, mode: 'SANDBOX' };
    let sequence = 1_000_000;
    const add = async (count: number) => {
      for (let at = 0; at < count; at += 1) {
        const [id, attempt] = [newId(), newId()];
        sequence += 1;
        const common = [row.merchant_id, row.mode, id];
        await rowsOf(
          t.connectionString,
          `insert into webhook_attempts (merchant_id, mode, delivery_id, id, kind, started_at, duration_ms, status_code)
           values ($1, $2, $3, $4, 'SCHEDULED', now(), 5, 200)`,
          [...common, attempt],
        );
        await rowsOf(
          t.connectionString,
          `insert into webhook_deliveries (merchant_id, mode, id, sequence, type, status, attempts, last_attempt_id,
             delivered_at, created_at) values ($1, $2, $3, $4, 'payout.succeeded', 'DELIVERED', 1, $5, now(), now())`,
          [...common, sequence, attempt],
        );
      }
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
  '/operator/merchant': async (t) => {
    const operator = await signedInOperator(t);
    const profile = { businessName: 'Adire', email: 'a@b.example', phoneNumber: '2348012345678' };
    const add = async (count: number) => {
      const { database, secrets, clock, config } = t;
      for (let at = 0; at < count; at += 1) {
        const made = { profile, approved: true };
        await makeMerchant({ database, secrets, clock, walletBank: config.walletBank }, made);
      }
    };
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/merchant',
      key: byField('merchantId'),
      add,
    };
  },
  '/operator/announcement': async (t) => {
    const operator = await signedInOperator(t);
    const sql = `insert into announcements (id, title, body, severity, for_all, starts_at, ends_at, revision, created_by,
        created_at, updated_by, updated_at)
      select (e->>'id')::uuid, 'Title', 'Text', 'INFO', true, now(), now() + interval '1 hour', 1, 'test', now(), 'test', now()
        from jsonb_array_elements($1::jsonb) e`;
    const add = async (count: number) => {
      const made = times(count, (at) => ({ id: at % 2 === 0 ? newId() : earlier().id }));
      await rowsOf(t.connectionString, sql, [JSON.stringify(made)]);
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/announcement', key: byField('announcementId'), add };
  },
  '/operator/float': async (t) => {
    const operator = await signedInOperator(t);
    const sql = `insert into float_checks (id, rails, mode, currency, rail_minor, float_minor, unsettled_minor, held_minor,
        difference_minor, checked_by, checked_at)
      select (e->>'id')::uuid, 'sandbox', 'SANDBOX', 'NGN', 0, 0, 0, 0, 0, 'test', (e->>'at')::timestamptz
        from jsonb_array_elements($1::jsonb) e`;
    const add = async (count: number) => {
      const checks = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
      await rowsOf(t.connectionString, sql, [JSON.stringify(checks)]);
    };
    return { get: (address) => operator.call('GET', address), path: '/operator/float', key: byField('checkId'), add };
  },
  '/operator/manual-credit': async (t, { merchantId, walletId }) => {
    const operator = await signedInOperator(t);
    const proposed = await sendCredit(t, operator, { merchantId, fields: creditFields(t, walletId) });
    const copy = copier(t, 'manual_credits', 'id = $1', [proposed.body.data.manualCreditId]);
    const add = async (count: number) => {
      const made = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
      await copy(made.map(({ id, at }) => ({ id, transaction_id: madeUp(), proposed_at: at })));
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/manual-credit', key: byField('manualCreditId'), add };
  },
  '/operator/payout': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const { post } = asMerchant(t, merchant);
    const { transactionId } = await post('/payout/single', payment());
    await keepPayoutDirectory(t, 'SANDBOX');
    const [transactions, payouts] = ['transactions', 'payouts'].map((table) =>
      copier(t, table, 'id = $1', [transactionId]),
    );
    const directory = copier(t, 'payout_directory', 'payout_id = $1', [transactionId]);
    const add = async (count: number) => {
      const made = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
      await transactions?.(made.map(({ id, at }) => ({ id, created_at: at })));
      await payouts?.(made.map(({ id }) => ({ id, rail_reference: id })));
      await directory(made.map(({ id }) => ({ payout_id: id })));
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/payout', key: byField('payoutId'), add };
  },
  '/operator/inbound-payment': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const add = await paymentsIn(t, merchant, (id) => ({ id, provider_transaction_id: id }));
    // Those that are in no directory yet are written into it.
    const sql = `insert into credit_directory (rail, provider_transaction_id, merchant_id, mode, payment_id, wallet_id,
        account_number, noted_at)
      select rail, provider_transaction_id, merchant_id, mode, id, wallet_id, account_number, confirmed_at
        from inbound_payments where merchant_id = $1 on conflict do nothing`;
    const get = (address: string) => operator.call('GET', address);
    return {
      get,
      path: '/operator/inbound-payment',
      key: byField('paymentId'),
      add: async (count) => {
        await add(count);
        await rowsOf(t.connectionString, sql, [merchant.merchantId]);
      },
    };
  },
  '/collection/dispute': async (t, merchant) => {
    const { get, add } = await disputesOf(t, merchant);
    return { get, path: '/collection/dispute', key: byField('disputeId'), add };
  },
  '/operator/refund': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const { add } = await refundsOf(t, merchant);
    return { get: (address) => operator.call('GET', address), path: '/operator/refund', key: byField('refundId'), add };
  },
  '/operator/dispute': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const { add } = await disputesOf(t, merchant);
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/dispute',
      key: byField('disputeId'),
      add,
    };
  },
  '/operator/dispute/reported': async (t) => {
    const operator = await signedInOperator(t);
    const reported = async (id: string, at: Date | string) => {
      await t.database.pool.query(
        `insert into dispute_directory (rail, provider_dispute_id, mode, status, source, attempts, first_seen_at, updated_at)
         values ('sandbox', $1, 'SANDBOX', 'NO_PAYMENT', 'POLL', 0, $2, $2)`,
        [id, at],
      );
    };
    const add = async (count: number) => {
      for (let at = 0; at < count; at += 1) await reported(newId(), new Date());
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/dispute/reported', key: byField('providerDisputeId'), add };
  },
  '/operator/suspense': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const held = { status: 'SUSPENSE', reason: 'MERCHANT_SUSPENDED' };
    const add = await paymentsIn(t, merchant, (id, at) => ({ id, ...held, confirmed_at: at }));
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/suspense', key: byField('paymentId'), add };
  },
  '/operator/suspense/receivable': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const add = await paymentsIn(t, merchant, (id) => ({ id, rail: id }));
    const get = (address: string) => operator.call('GET', address);
    const key = ({ merchantId, mode, rail }: Listed) => `${merchantId} ${mode} ${rail}`;
    return { get, path: '/operator/suspense/receivable', key, add };
  },
  '/operator/virtual-account': async (t, { merchantId, walletId }) => {
    const operator = await signedInOperator(t);
    const sql = `insert into virtual_accounts (merchant_id, mode, id, wallet_id, rail, status, attempts, requested_at,
        updated_at)
      select $1, 'SANDBOX', (e->>'id')::uuid, $2, e->>'id', 'FAILED', 1, (e->>'at')::timestamptz, now()
        from jsonb_array_elements($3::jsonb) e`;
    const add = async (count: number) => {
      const made = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
      await rowsOf(t.connectionString, sql, [merchantId, walletId, JSON.stringify(made)]);
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/virtual-account', key: byField('virtualAccountId'), add };
  },
  '/operator/outcome': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const { post } = asMerchant(t, merchant);
    const { transactionId } = await post('/payout/single', payment());
    const [transactions, payouts] = ['transactions', 'payouts'].map((table) =>
      copier(t, table, 'id = $1', [transactionId]),
    );
    const add = async (count: number) => {
      const made = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
      await transactions?.(made.map(({ id, at }) => ({ id, created_at: at })));
      const reason = { operator_reason: 'UNKNOWN_TOO_LONG' };
      await payouts?.(made.map(({ id, at }) => ({ id, rail_reference: id, ...reason, operator_since: at })));
    };
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/outcome',
      key: byField('payoutId'),
      add,
    };
  },
  '/operator/settlement': async (t) => {
    const operator = await signedInOperator(t);
    const add = (count: number) =>
      addImports(
        t,
        times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier())),
      );
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/settlement',
      key: byField('importId'),
      add,
    };
  },
  '/operator/settlement/{importId}/line': async (t) => {
    const operator = await signedInOperator(t);
    const importId = newId();
    await addImports(t, [{ id: importId, at: new Date() }]);
    let line = 0;
    const add = async (count: number) => {
      const sql = `insert into settlement_lines (import_id, id, line_number, kind, result, settles)
        select $1, (e->>'id')::uuid, (e->>'line')::int, 'PAID', 'MATCHED', false from jsonb_array_elements($2::jsonb) e`;
      // What the file lacks has no line.
      const lines = times(count, (at) => ({ id: madeUp(), line: at % 3 === 0 ? null : ++line }));
      await rowsOf(t.connectionString, sql, [importId, JSON.stringify(lines)]);
    };
    const path = `/operator/settlement/${importId}/line`;
    return { get: (address) => operator.call('GET', address), path, key: byField('lineId'), add };
  },
  '/operator/provider-settlement': async (t) => {
    const operator = await signedInOperator(t);
    const add = (count: number) =>
      addProviderSettlements(
        t,
        times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier())),
      );
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/provider-settlement',
      key: byField('settlementId'),
      add,
    };
  },
  '/operator/provider-settlement/{settlementId}/line': async (t) => {
    const operator = await signedInOperator(t);
    const settlementId = newId();
    await addProviderSettlements(t, [{ id: settlementId, at: new Date() }]);
    let line = 0;
    const add = async (count: number) => {
      const sql = `insert into provider_settlement_lines (settlement_id, id, line_number, result, digest)
        select $1, (e->>'id')::uuid, (e->>'line')::int, 'MISSING_HERE', '' from jsonb_array_elements($2::jsonb) e`;
      // What the file lacks has no line.
      const lines = times(count, (at) => ({ id: madeUp(), line: at % 3 === 0 ? null : ++line }));
      await rowsOf(t.connectionString, sql, [settlementId, JSON.stringify(lines)]);
    };
    const path = `/operator/provider-settlement/${settlementId}/line`;
    return { get: (address) => operator.call('GET', address), path, key: byField('lineId'), add };
  },
  '/operator/settlement-fetch': async (t) => {
    const operator = await signedInOperator(t);
    const add = async (count: number) => {
      const sql = `insert into provider_settlement_fetches (rail, reference, mode, source, lump_minor, currency, settled_on,
          status, attempts, noted_by, first_seen_at, updated_at)
        select 'sandbox', e->>'id', 'SANDBOX', 'LIST', 0, 'NGN', '2026-11-20', 'KNOWN', 0, 'system',
               (e->>'at')::timestamptz, now()
          from jsonb_array_elements($1::jsonb) e`;
      const rows = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date() } : earlier()));
      await rowsOf(t.connectionString, sql, [JSON.stringify(rows)]);
    };
    const path = '/operator/settlement-fetch';
    return { get: (address) => operator.call('GET', address), path, key: byField('reference'), add };
  },
  '/operator/daily-close': async (t) => {
    const operator = await signedInOperator(t);
    let next = 0;
    const add = async (count: number) => {
      const sql = `insert into daily_closes (id, mode, day, version, figures, figures_digest, signed_by, signed_name,
          signed_at, digest)
        select (e->>'id')::uuid, 'LIVE', date '2020-01-01' + (e->>'day')::int, 1, '{}', repeat('0', 64), (e->>'id')::uuid, 'x',
               now(), ''
          from jsonb_array_elements($1::jsonb) e`;
      await rowsOf(t.connectionString, sql, [JSON.stringify(times(count, () => ({ id: madeUp(), day: ++next })))]);
    };
    const path = '/operator/daily-close';
    return { get: (address) => operator.call('GET', address), path, key: byField('closeId'), add };
  },
  '/operator/webhook/failing': async (t) => {
    const operator = await signedInOperator(t);
    const add = async (count: number) => {
      const sql = `insert into webhook_endpoints (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row,
          created_at, updated_at)
        select (e->>0)::uuid, 'LIVE', (e->>0)::uuid, 'https://x.example', 'ENABLED', 0, 3, now(), now()
          from jsonb_array_elements($1::jsonb) e`;
      await rowsOf(t.connectionString, sql, [JSON.stringify(times(count, () => [madeUp()]))]);
    };
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/webhook/failing',
      key: byField('merchantId'),
      add,
    };
  },
  '/operator/audit': async (t) => {
    const operator = await signedInOperator(t);
    const merchantId = newId();
    const add = (count: number) => audit(t, merchantId, count);
    // Of one merchant alone: that the list is read is an entry, too.
    const get = (address: string) =>
      operator.call(
        'GET',
        /[?&]merchantId=/.test(address)
          ? address
          : `${address}${/[?]/.test(address) ? '&' : '?'}merchantId=${merchantId}`,
      );
    return { get, path: '/operator/audit', key: byField('entryId'), add };
  },
};

async function addImports(t: TestApp, imports: { id: string; at: unknown }[]): Promise<void> {
  const sql = `insert into settlement_imports (id, rail, mode, file_name, file_hash, status, line_count, imported_by,
      created_at, updated_at)
    select (e->>'id')::uuid, 'sandbox', 'SANDBOX', 'x.csv', e->>'id', 'DONE', 0, 'test', (e->>'at')::timestamptz, now()
      from jsonb_array_elements($1::jsonb) e`;
  await rowsOf(t.connectionString, sql, [JSON.stringify(imports)]);
}

async function addProviderSettlements(t: TestApp, settlements: { id: string; at: unknown }[]): Promise<void> {
  const sql = `insert into provider_settlements (id, rail, mode, reference, lump_minor, currency, settled_on, file_name,
      file_hash, status, line_count, imported_by, created_at, updated_at, digest)
    select (e->>'id')::uuid, 'sandbox', 'SANDBOX', e->>'id', 0, 'NGN', '2026-11-20', 'x.csv', e->>'id', 'READY', 0, 'test',
           (e->>'at')::timestamptz, now(), ''
      from jsonb_array_elements($1::jsonb) e`;
  await rowsOf(t.connectionString, sql, [JSON.stringify(settlements)]);
}
