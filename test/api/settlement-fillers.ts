import { newId } from '../../src/platform/ids.ts';
import { childOf, settling, work } from '../merchant-settlements/fixture.ts';
import type { TestApp } from '../support/app.ts';
import { TEST_PIN } from '../support/base.ts';
import { signedInOperator } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';
import { asMerchant, byField, copier, disputesOf, type Filler, madeUp, moments, times } from './filled-list.ts';

/** Settlements, from providers and to merchants, and disputes. */
export const SETTLEMENT_FILLERS: Record<string, Filler> = {
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
  '/operator/dispute/proposal': async (t, merchant) => {
    const operator = await signedInOperator(t);
    const add = async (count: number) => {
      const sql = `insert into dispute_proposals (merchant_id, mode, id, action, dispute_id, payment_id, rail, provider_dispute_id,
          amount_minor, category, source, note, digest, status, proposed_by, proposed_at, updated_at)
        select $1, 'LIVE', (e->>'id')::uuid, 'OPEN', (e->>'id')::uuid, (e->>'id')::uuid, 'monnify', e->>'id', 100, 'CHARGEBACK',
               'OTHER', 'As they wrote', 'none', 'PENDING', (e->>'id')::uuid, $3, $3
          from jsonb_array_elements($2::jsonb) e`;
      const rows = JSON.stringify(times(count, () => ({ id: madeUp() })));
      await rowsOf(t.connectionString, sql, [merchant.merchantId, rows, new Date()]);
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/dispute/proposal', key: byField('proposalId'), add };
  },
  '/operator/settlement': async (t) => {
    const operator = await signedInOperator(t);
    const add = (count: number) => addImports(t, moments(count));
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
    const add = (count: number) => addProviderSettlements(t, moments(count));
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
      const rows = moments(count);
      await rowsOf(t.connectionString, sql, [JSON.stringify(rows)]);
    };
    const path = '/operator/settlement-fetch';
    return { get: (address) => operator.call('GET', address), path, key: byField('reference'), add };
  },
  '/collection/settlement': async (t) => {
    const { merchant } = await settledOnce(t);
    const copy = copier(t, 'merchant_settlements', 'merchant_id = $1', [merchant.merchantId]);
    let last = 1;
    // Their numbers have no gaps, so none comes late. Nobody has to look at the copies.
    const add = async (count: number) =>
      void (await copy(times(count, () => ({ id: newId(), number: ++last, due_at: null }))));
    return { get: asMerchant(t, merchant).get, path: '/collection/settlement', key: byField('settlementId'), add };
  },
  '/collection/settlement/wallet': async (t) => {
    const shop = await settling(t);
    const add = async (count: number) => {
      for (let at = 0; at < count; at += 1) await (await childOf(shop, `Store ${madeUp()}`)).set({});
    };
    const { get } = asMerchant(t, shop.merchant);
    return { get, path: '/collection/settlement/wallet', key: byField('walletId'), add };
  },
  '/collection/settlement/{settlementId}/line': async (t) => {
    const { merchant, settlementId, fund } = await settledOnce(t, 20);
    const path = `/collection/settlement/${settlementId}/line`;
    // It has its entries and gets no more: what comes to the wallet meanwhile is of the next one.
    const add = async () => undefined;
    return { get: asMerchant(t, merchant).get, path, key: byField('lineId'), add, disturb: fund };
  },
  '/operator/merchant-settlement': async (t, { merchantId }) => {
    const operator = await signedInOperator(t);
    const copy = copier(t, 'merchants', 'id = $1', [merchantId]);
    const sql = `insert into merchant_settlement_schedules (merchant_id, mode, ahead_seconds, first_sequence,
        first_balance_minor, updated_at)
      select (e->>'id')::uuid, 'LIVE', 0, 0, 0, now() from jsonb_array_elements($1::jsonb) e`;
    const add = async (count: number) => {
      const made = moments(count);
      await copy(made.map(({ id, at }) => ({ id, created_at: at })));
      await rowsOf(t.connectionString, sql, [JSON.stringify(made)]);
    };
    const get = (address: string) => operator.call('GET', address);
    return { get, path: '/operator/merchant-settlement', key: byField('merchantId'), add, unsent: { mode: 'LIVE' } };
  },
};

/** A merchant whose collections went to its bank once, with so many other entries in that settlement. */
async function settledOnce(t: TestApp, others = 0) {
  const { merchant, walletId, must, set, pay } = await settling(t);
  const fund = async () => void (await must('POST', '/sandbox/wallet/fund', { walletId, amount: 1 }));
  await set({ schedule: 'OFF' });
  await pay(5_000);
  await Promise.all(times(others, fund));
  const { settlementId } = await must('POST', '/collection/settlement', { pin: TEST_PIN });
  await work(t);
  return { merchant, settlementId: String(settlementId), fund };
}

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
