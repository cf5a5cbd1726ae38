import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createLedger } from '../../src/ledger/index.ts';
import { success } from '../../src/platform/answer.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { approve, type Business, business, payment, waitingPayout } from '../approvals/approval-fixture.ts';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { type InBetween, inBetween } from '../support/in-between.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';

let t: TestApp;
let between: InBetween;
let operator: TestPerson;

beforeAll(async () => {
  t = await createTestApp({}, (database) => {
    between = inBetween(database);
    return between.database;
  });
  operator = await signedInOperator(t);
});
afterAll(() => t.close());

/** Moves money between two wallets of a merchant past the API, as one of its movements does. */
function mover(merchant: TestMerchant) {
  const ledger = createLedger({ database: t.database, logger: createLogger('silent'), clock: t.clock, committers: 1 });
  return (from: string, to: string, naira: number) => {
    const [id, amountMinor] = [newId(), BigInt(naira) * 100n];
    return ledger.commit({
      tenant: { merchantId: merchant.merchantId, mode: 'SANDBOX' },
      id,
      occurredAt: t.clock.now().toISOString(),
      transfers: [
        {
          kind: 'POSTED',
          id: newId(),
          debitAccountId: from,
          creditAccountId: to,
          amountMinor,
          code: 'SUBACCOUNT_CREDIT',
        },
      ],
      events: [{ id: newId(), type: 'transaction.succeeded', subjectId: id, data: '{}' }],
      answer: success('Moved', {}),
    });
  };
}

const walletOf = async (merchant: TestMerchant): Promise<string> =>
  (await read(merchant, `/subaccount/${merchant.subaccountIds[0]}`)).walletId;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const read = async (merchant: TestMerchant, path: string) => {
  const reply = await t.call('GET', path, undefined, bearerOf(merchant));
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
};

describe('GET /wallet/merchant', () => {
  it('shows a total that is there, in each of many reads while money moves into subaccounts and back', async () => {
    const merchant = await t.addMerchant();
    const move = mover(merchant);
    const sub = await walletOf(merchant);
    let reading = true;
    // All in one direction at a time: movements that are committed together would make up for each other.
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let there = true; reading; there = !there)
          await (there ? move(merchant.walletId, sub, 5_000) : move(sub, merchant.walletId, 5_000));
      }),
    );
    const totals: number[] = [];
    const readers = Array.from({ length: 3 }, async () => {
      for (let times = 0; times < 70; times += 1)
        totals.push((await read(merchant, '/wallet/merchant')).wallet.totalBalance);
    });
    await Promise.all(readers).finally(() => {
      reading = false;
    });
    await writing;
    expect(totals).toHaveLength(210);
    expect(totals.filter((total) => total !== 1_000_000)).toEqual([]);
  });
});

describe('what is shown together is of one moment, also where money moves between any two statements', () => {
  it('GET /wallet/merchant: the wallet, its subaccounts and their sum', async () => {
    const merchant = await t.addMerchant();
    const move = mover(merchant);
    const sub = await walletOf(merchant);
    const { result, statements } = await between.during(
      () => move(merchant.walletId, sub, 100),
      () => read(merchant, '/wallet/merchant'),
    );
    expect(statements).toBeGreaterThan(0);
    expect(result.wallet.totalBalance).toBe(1_000_000);
  });

  it.each(['/branch/store', '/subaccount'])('GET %s: the balances of all that are listed', async (path) => {
    const merchant = await t.addMerchant();
    const move = mover(merchant);
    for (let at = 0; at < 5; at += 1) await t.call('POST', path, { name: `Number ${at}` }, bearerOf(merchant));
    const sql = `select wallet_id from ${path === '/subaccount' ? 'subaccounts' : 'stores'} where merchant_id = $1 order by id`;
    const wallets = await rowsOf<{ wallet_id: string }>(t.connectionString, sql, [merchant.merchantId]);
    const [oldest, newest] = [wallets[0]?.wallet_id as string, wallets.at(-1)?.wallet_id as string];
    await move(merchant.walletId, oldest, 10_000);
    const before = sum((await read(merchant, path)).records.map((one: { bookedBalance: number }) => one.bookedBalance));
    // A process that has not seen any of them yet.
    const fresh = await createFreshList(path, merchant);
    const { result } = await between.during(() => move(oldest, newest, 100), fresh);
    expect(sum(result)).toBe(before);
  });

  it('GET /operator/merchant/{merchantId}: a wallet beside its subaccounts', async () => {
    const merchant = await t.addMerchant();
    const move = mover(merchant);
    const sub = await walletOf(merchant);
    const { result } = await between.during(
      () => move(merchant.walletId, sub, 100),
      () => operator.call('GET', `/operator/merchant/${merchant.merchantId}`),
    );
    const wallet = result.body.data.wallets.find((one: { mode: string }) => one.mode === 'SANDBOX');
    expect(wallet.bookedBalance + wallet.subaccountBalance).toBe(1_000_000);
  });

  it('GET /transaction/{transactionId}/evidence: a status and the way to it', async () => {
    const merchant = await t.addMerchant();
    const { transactionId } = (await t.call('POST', '/payout/single', payment(), bearerOf(merchant))).body.data;
    const { result } = await between.during(
      () => t.app.worker.runOnce(),
      () => read(merchant, `/transaction/${transactionId}/evidence`),
    );
    const { transaction, stateChanges, attempts } = result;
    expect(stateChanges.at(-1)?.to ?? 'QUEUED').toBe(transaction.status);
    if (transaction.status === 'QUEUED') expect(attempts).toEqual([]);
  });

  it.each(['the list', 'one'])('GET /approval, %s: how many have approved, and who', async (which) => {
    const shop: Business = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    for (let after = 1, statements = after; after <= statements; after += 1) {
      const waiting = await waitingPayout(shop.maker.call);
      const path = which === 'one' ? `/approval/${waiting.approvalId}` : '/approval';
      const found = await between.during(
        () => approve(shop.ann, waiting),
        () => shop.owner.call('GET', path),
        after,
      );
      statements = found.statements;
      const approval = which === 'one' ? found.result.body.data : found.result.body.data.records[0];
      expect(approval.decisions).toHaveLength(approval.given);
    }
  });

  it('GET /webhook/endpoint: how far an address was told, and how far the log is', async () => {
    const merchant = await t.addMerchant();
    await t.call('PATCH', '/merchant/info', { sandboxWebhookURL: 'https://adire.example/hooks' }, bearerOf(merchant));
    const move = mover(merchant);
    const sub = await walletOf(merchant);
    /** Something happens, and the address was sent all. */
    const happen = async () => {
      await move(merchant.walletId, sub, 1);
      const sql = `update webhook_endpoints e set cursor_sequence = b.event_sequence from books b
        where b.merchant_id = e.merchant_id and b.mode = e.mode and e.merchant_id = $1`;
      await rowsOf(t.connectionString, sql, [merchant.merchantId]);
    };
    await happen();
    const { result } = await between.during(happen, () => read(merchant, '/webhook/endpoint'));
    expect(result).toMatchObject({ behind: 0, sentSequence: result.lastSequence });
  });

  it('GET /payout/limit: the limits of each side, the stricter of them, and what is left', async () => {
    const merchant = await t.addMerchant();
    await read(merchant, '/payout/limit');
    let naira = 10_000;
    const bind = async () => {
      naira -= 1_000;
      const sql = `insert into payout_limits (id, owner, merchant_id, mode, per_day_minor, duplicate_window_seconds, effective_from, source)
        values ($1, 'MERCHANT', $2, 'SANDBOX', $3, 0, $4, 'test')`;
      const since = new Date(Date.now() - naira);
      await rowsOf(t.connectionString, sql, [newId(), merchant.merchantId, naira * 100, since]);
    };
    // As another process would: this one remembers what was before.
    await bind();
    const { result } = await between.during(bind, () => read(merchant, '/payout/limit'));
    expect(result.perDay).toBe(result.own.perDay ?? result.operator.perDay);
    expect(result.leftToday).toBe(result.perDay - result.usedToday);
  });

  it.each(['VALIDATING', 'NEEDS_FIX'])(
    'GET /payout/bulk/{batchReference} while it is %s: counts and sums',
    async (state) => {
      const merchant = await t.addMerchant();
      const item = { amount: 1_000, bankCode: '058', narration: 'Salary' };
      const items = Array.from({ length: 6 }, (_, at) => ({ ...item, accountNumber: String(1_000_000_001 + at) }));
      const bad = { ...item, accountNumber: '1' };
      const { batchReference } = (await t.call('POST', '/payout/bulk', { items: [...items, bad] }, bearerOf(merchant)))
        .body.data;
      const list = (await read(merchant, `/payout/bulk/${batchReference}/item`)).records as { id: string }[];
      const path = `/payout/bulk/${batchReference}`;
      if (state === 'NEEDS_FIX') await t.app.worker.runOnce();
      let at = 0;
      const change = async () => {
        at += 1;
        if (state === 'VALIDATING') await looked(list[at - 1]?.id as string);
        else await t.call('DELETE', `/payout/bulk/item/${list[at - 1]?.id}`, undefined, bearerOf(merchant));
      };
      for (let times = 0; times < 2; times += 1) {
        const { result } = await between.during(change, () => read(merchant, path));
        expect(result.status).toBe(state);
        expect(result.totals.amount).toBe(result.counts.valid * 1_000);
      }
    },
  );

  it('GET /webhook/delivery/{id}: how often it was attempted, and every attempt', async () => {
    const merchant = await t.addMerchant();
    const delivery = (values: string) =>
      `insert into webhook_deliveries (merchant_id, mode, id, sequence, type, status, attempts, last_attempt_id,
         next_attempt_at, created_at) ${values}`;
    await mover(merchant)(merchant.walletId, await walletOf(merchant), 1);
    const [id, first] = [newId(), newId()];
    const values = `select $1, 'SANDBOX', $2, max(sequence), 'transaction.succeeded', 'PENDING', 0, $3, now(), now()
      from events where merchant_id = $1 and mode = 'SANDBOX'`;
    await rowsOf(t.connectionString, delivery(values), [merchant.merchantId, id, first]);
    /** It is called once more, in one statement. */
    const attempt = () => {
      const sql = `with made as (
          insert into webhook_attempts (merchant_id, mode, delivery_id, id, kind, started_at, duration_ms, status_code)
          values ($1, 'SANDBOX', $2, $3, 'SCHEDULED', now(), 5, 500))
        update webhook_deliveries set attempts = attempts + 1, last_attempt_id = $3 where merchant_id = $1 and id = $2`;
      return rowsOf(t.connectionString, sql, [merchant.merchantId, id, newId()]);
    };
    await attempt();
    const { result } = await between.during(attempt, () => read(merchant, `/webhook/delivery/${id}`));
    expect(result.attemptLog).toHaveLength(result.attempts);
  });

  it('GET /operator/outcome/{payoutId}/evidence: what was said, and whether a proposal knows of all of it', async () => {
    const merchant = await t.addMerchant();
    const silent = { accountNumber: '0123999934', amount: 1_000 };
    const paid = await t.call('POST', '/payout/single', { ...payment(), ...silent }, bearerOf(merchant));
    await t.app.worker.runOnce();
    const { transactionId: payoutId } = paid.body.data;
    const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
    const proposal = {
      ...tenant,
      payoutId,
      outcome: 'FAILED',
      source: 'OTHER',
      note: 'They say it was never credited',
    };
    expect((await operator.call('POST', '/operator/outcome/propose', proposal)).status).toBe(200);
    /** The rail says something new. */
    const hear = () => {
      const sql = `insert into payout_attempts (merchant_id, mode, payout_id, id, rail, kind, started_at, ended_at, outcome, code)
        values ($1, 'SANDBOX', $2, $3, 'sandbox', 'PROVIDER_WEBHOOK', now(), now(), 'unknown', '99')`;
      return rowsOf(t.connectionString, sql, [merchant.merchantId, payoutId, newId()]);
    };
    const path = `/operator/outcome/${payoutId}/evidence?merchantId=${merchant.merchantId}&mode=SANDBOX`;
    for (let after = 1, statements = after; after <= statements; after += 1) {
      const found = await between.during(hear, () => operator.call('GET', path), after);
      statements = found.statements;
      const { said, isOvertaken } = found.result.body.data;
      expect(said.some(({ kind }: { kind: string }) => kind === 'PROVIDER_WEBHOOK')).toBe(isOvertaken);
      await rowsOf(
        t.connectionString,
        `delete from payout_attempts where payout_id = $1 and kind = 'PROVIDER_WEBHOOK'`,
        [payoutId],
      );
    }
  });

  it('GET /operator/float: where the rails stand, and the comparison that says so', async () => {
    const compare = () => {
      const sql = `insert into float_checks (id, rails, mode, currency, rail_minor, float_minor, unsettled_minor, held_minor,
          difference_minor, checked_by, checked_at) values ($1, 'sandbox', 'SANDBOX', 'NGN', 0, 0, 0, 0, 0, 'test', $2)`;
      return rowsOf(t.connectionString, sql, [newId(), new Date()]);
    };
    await compare();
    const { result } = await between.during(compare, () => operator.call('GET', '/operator/float'));
    const { latest, history } = result.body.data;
    expect(latest).toEqual([history.records[0]]);
    expect(history.totalRecords).toBe(history.records.length);
  });
});

/** A worker has looked at an item of a batch and found it good: in one statement, as it does for 500. */
async function looked(itemId: string): Promise<void> {
  const sql = `with item as (update batch_items set is_valid = true, validated_at = created_at, account_name = 'ADA', bank_name = 'GTBank' where id = $1 returning *)
    update batches b set valid_items = b.valid_items + 1 from item i
     where b.merchant_id = i.merchant_id and b.id = i.batch_id`;
  await rowsOf(t.connectionString, sql, [itemId]);
}

/** The list as another process of the service reads it, which remembers nothing. */
async function createFreshList(path: string, merchant: TestMerchant): Promise<() => Promise<number[]>> {
  const other = await createApp({ ...t, database: between.database, logger: createLogger('silent') });
  await other.server.ready();
  return async () => {
    const answer = await other.server.inject({ method: 'GET', url: path, headers: bearerOf(merchant) });
    await other.close();
    return answer.json().data.records.map((one: { bookedBalance: number }) => one.bookedBalance);
  };
}
