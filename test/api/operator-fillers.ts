import { payoutDirectoryKeeper } from '../../src/payout-directory/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { payment } from '../approvals/approval-fixture.ts';
import { creditFields, sendCredit } from '../operator/credit-forms.ts';
import { signedInOperator } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';
import {
  asMerchant,
  audit,
  byField,
  copier,
  earlier,
  type Filler,
  type Listed,
  madeUp,
  moments,
  paymentsIn,
  times,
} from './filled-list.ts';

/** Lists of the operator. */
export const OPERATOR_FILLERS: Record<string, Filler> = {
  '/operator/merchant': async (t, { merchantId }) => {
    const operator = await signedInOperator(t);
    const copy = copier(t, 'merchants', 'id = $1', [merchantId]);
    const add = async (count: number) =>
      void (await copy(moments(count).map(({ id, at }) => ({ id, created_at: at }))));
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
  '/operator/screening-list': async (t) => {
    const operator = await signedInOperator(t);
    const sql = `insert into screening_lists (id, name, mode, source, listed_on, entry_count, file_hash, imported_by, imported_at,
        ended_at, ended_by)
      select (e->>'id')::uuid, 'List', 'LIVE', 'A test', '2026-11-20', 0, e->>'id', 'test', (e->>'at')::timestamptz,
             (e->>'at')::timestamptz, 'test'
        from jsonb_array_elements($1::jsonb) e`;
    const add = async (count: number) => {
      const made = times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date().toISOString() } : earlier()));
      await rowsOf(t.connectionString, sql, [JSON.stringify(made)]);
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/screening-list', key: byField('listId'), add };
  },
  '/operator/float': async (t) => {
    const operator = await signedInOperator(t);
    const sql = `insert into float_checks (id, rails, mode, currency, rail_minor, float_minor, unsettled_minor, held_minor,
        difference_minor, checked_by, checked_at)
      select (e->>'id')::uuid, 'sandbox', 'SANDBOX', 'NGN', 0, 0, 0, 0, 0, 'test', (e->>'at')::timestamptz
        from jsonb_array_elements($1::jsonb) e`;
    const add = async (count: number) => {
      const checks = moments(count);
      await rowsOf(t.connectionString, sql, [JSON.stringify(checks)]);
    };
    return { get: (address) => operator.call('GET', address), path: '/operator/float', key: byField('checkId'), add };
  },
  '/operator/manual-credit': async (t, { merchantId, walletId }) => {
    const operator = await signedInOperator(t);
    const proposed = await sendCredit(t, operator, { merchantId, fields: creditFields(t, walletId) });
    const copy = copier(t, 'manual_credits', 'id = $1', [proposed.body.data.manualCreditId]);
    const add = async (count: number) => {
      const made = moments(count);
      await copy(made.map(({ id, at }) => ({ id, transaction_id: madeUp(), proposed_at: at })));
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/manual-credit', key: byField('manualCreditId'), add };
  },
  '/operator/payout': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const { post } = asMerchant(t, merchant);
    const { transactionId } = await post('/payout/single', payment());
    await payoutDirectoryKeeper(t, 'SANDBOX')();
    const [transactions, payouts] = ['transactions', 'payouts'].map((table) =>
      copier(t, table, 'id = $1', [transactionId]),
    );
    const directory = copier(t, 'payout_directory', 'payout_id = $1', [transactionId]);
    const add = async (count: number) => {
      const made = moments(count);
      await transactions?.(made.map(({ id, at }) => ({ id, created_at: at })));
      await payouts?.(made.map(({ id }) => ({ id, rail_reference: id, due_at: null })));
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
      const made = moments(count);
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
      const made = moments(count);
      await transactions?.(made.map(({ id, at }) => ({ id, created_at: at })));
      const reason = { operator_reason: 'UNKNOWN_TOO_LONG', due_at: null };
      await payouts?.(made.map(({ id, at }) => ({ id, rail_reference: id, ...reason, operator_since: at })));
    };
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/outcome',
      key: byField('payoutId'),
      add,
    };
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
  '/operator/reserve': async (t) => {
    const operator = await signedInOperator(t);
    const sql = `insert into reserves (merchant_id, mode, payment_id, wallet_id, rule_id, amount_minor, kept_at, release_on, due_at)
      select (e->>0)::uuid, 'SANDBOX', (e->>0)::uuid, (e->>0)::uuid, (e->>0)::uuid, (e->>1)::bigint, now(), '2026-12-01', '2100-01-01'
        from jsonb_array_elements($1::jsonb) e`;
    const add = async (count: number) =>
      void (await rowsOf(t.connectionString, sql, [JSON.stringify(times(count, (at) => [madeUp(), 1 + (at % 3)]))]));
    return {
      get: (address) => operator.call('GET', address),
      path: '/operator/reserve',
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
  '/operator/freeze': async (t) => {
    const operator = await signedInOperator(t);
    // Of references that nothing has: nothing is held for them.
    const sql = `insert into freezes (id, mode, subject, reference, reason, legal_basis, owner, starts_at, in_force_at, made_by,
        made_at, digest)
      select (e->>'id')::uuid, 'SANDBOX', 'REFERENCE', e->>'id', 'x', 'x', 'x', at, at, (e->>'id')::uuid, at, ''
        from jsonb_array_elements($1::jsonb) e
       cross join lateral (select (e->>'at')::timestamptz as at) made`;
    const add = async (count: number) => void (await rowsOf(t.connectionString, sql, [JSON.stringify(moments(count))]));
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/freeze', key: byField('freezeId'), add };
  },
  '/operator/compliance-case': async (t, merchant) => {
    const operator = await signedInOperator(t);
    await paymentsIn(t, merchant, (id) => ({ id }));
    // One payment that was found by as many causes as there are cases.
    const sql = `insert into compliance_cases (merchant_id, mode, id, subject_type, subject_id, reason, cause, facts, status,
        opened_at, updated_at, digest)
      select p.merchant_id, p.mode, (e->>'id')::uuid, 'PAYMENT', p.id, 'SCREENING_HIT', e->>'id', '{}', 'OPEN',
             (e->>'at')::timestamptz, now(), ''
        from (select * from inbound_payments where merchant_id = $1 limit 1) p
       cross join jsonb_array_elements($2::jsonb) e`;
    const add = async (count: number) =>
      void (await rowsOf(t.connectionString, sql, [merchant.merchantId, JSON.stringify(moments(count))]));
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/compliance-case', key: byField('caseId'), add };
  },
};
