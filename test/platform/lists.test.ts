import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../../src/access/index.ts';
import { type ApprovalSearch, readApprovals } from '../../src/approvals/read-approvals.ts';
import type { AuditFilter } from '../../src/audit/queries.ts';
import { readAuditOfMerchant } from '../../src/audit/views.ts';
import type { ItemFilter } from '../../src/batches/item-queries.ts';
import { MANY_ITEMS, readBatches, readItems } from '../../src/batches/read-batches.ts';
import { readBeneficiaries } from '../../src/beneficiaries/views.ts';
import type { InboundFilter } from '../../src/collections/queries.ts';
import { addUpInboundPayments, readInboundPayments } from '../../src/collections/views.ts';
import { readCustomers } from '../../src/customers/read-customers.ts';
import { readDisputes } from '../../src/disputes/views.ts';
import { readSettlements } from '../../src/merchant-settlements/read-settlements.ts';
import type { SessionFilter } from '../../src/payment-sessions/queries.ts';
import { readSessions } from '../../src/payment-sessions/read-sessions.ts';
import { payoutDetails } from '../../src/payouts/index.ts';
import { readSchedules } from '../../src/payouts/schedule-payout.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { Statement } from '../../src/platform/db/statement.ts';
import { AppError } from '../../src/platform/errors.ts';
import {
  decodeCursor,
  encodeCursor,
  type KeyPart,
  keyValues,
  type ListOrder,
  type ListRequest,
  listRequest,
  MAX_COUNTED,
  printOf,
} from '../../src/platform/lists/list.ts';
import { numbered, readArray } from '../../src/platform/lists/read-list.ts';
import { lookThrough } from '../../src/platform/lists/totals.ts';
import { readPaymentsToRefund, readRefunds } from '../../src/refunds/read-refunds.ts';
import type { RequestFilter } from '../../src/request-log/queries.ts';
import { readRequests } from '../../src/request-log/views.ts';
import { type ReserveFilter, readReserves } from '../../src/reserves/read-reserves.ts';
import { readTransactions } from '../../src/transactions/list-transactions.ts';
import { readAccounts } from '../../src/virtual-accounts/read-accounts.ts';
import { readDeliveries } from '../../src/webhooks/read-deliveries.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'NONE';
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') return error.code;
    throw error;
  }
};

const numbers = {
  name: 'numbers',
  of: [],
  order: { direction: 'asc', keys: [{ sql: 'n', type: 'integer', of: (n: number) => n }] },
} as const;

describe('the total of a long list', () => {
  const viewOf = (page: number, size: number, length: number) => {
    const found = Math.max(0, Math.min(size + 1, length - (page - 1) * size));
    const counted = Math.min(length, MAX_COUNTED + 1);
    return numbered(numbers, { page, size, counted, goesBack: page > 1 }, new Array<number>(found).fill(0));
  };

  /** Reads pages of a list of `length` records as a client does that goes on until `totalPages`. */
  function readAll(length: number, size: number): number {
    let read = 0;
    for (let page = 1; ; page += 1) {
      const { rows, wrapper } = viewOf(page, size, length);
      read += rows.length;
      if (page >= (wrapper.totalPages ?? 0)) return read;
    }
  }

  it('is exact up to 100,000', () => {
    const { rows, wrapper } = viewOf(1, 50, MAX_COUNTED);
    expect(wrapper).toMatchObject({ totalRecords: MAX_COUNTED, totalPages: 2_000, totalIsExact: true });
    expect(rows).toHaveLength(50);
  });

  it('hides no record from a client that pages on until totalPages', () => {
    for (const length of [0, 1, 199, 200, 201, 100_000, 100_001, 100_200, 123_456]) {
      expect(readAll(length, 200)).toBe(length);
    }
  });
});

describe('a cursor', () => {
  const part = fc.oneof(fc.string(), fc.maxSafeInteger());

  it('comes back as it was made', () => {
    const since = fc.option(fc.maxSafeInteger());
    fc.assert(
      fc.property(fc.string(), since, fc.array(part, { maxLength: 3 }), (print, at, key) => {
        const text = encodeCursor({ print, since: at, key });
        fc.pre(
          text.length <= 1_000 &&
            print.isWellFormed() &&
            key.every((one) => typeof one === 'number' || one.isWellFormed()),
        );
        expect(decodeCursor(text)).toEqual({ print, since: at, key });
      }),
    );
  });

  it('is no id of ours, so that one field may take either', () => {
    expect(encodeCursor({ print: printOf('a', []), since: null, key: [] })).toMatch(/^M/);
  });

  it('is refused as a whole where it is anything else, and never breaks what reads it', () => {
    const plain = fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' }));
    const bytes = plain.map((text) => Buffer.from(text).toString('base64url'));
    const versioned = plain.map((text) => Buffer.from(`1${text}`).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(fc.string(), bytes, versioned), (text) => {
        expect(codeOf(() => listRequest({ after: text }))).toMatch(/^(NONE|CURSOR_INVALID)$/);
      }),
      { numRuns: 500 },
    );
  });

  const order: ListOrder<never> = {
    direction: 'asc',
    keys: (['uuid', 'text', 'integer', 'bigint', 'timestamptz'] as const).map((type) => ({
      sql: type,
      type,
      of: () => 0,
    })),
  };
  const good: KeyPart[] = ['01930000-0000-7000-8000-00000000dead', 'Ada', 5, '7', 1_700_000_000_000];

  it('gives values that PostgreSQL takes, or is refused', () => {
    const read = (key: readonly KeyPart[]) => codeOf(() => keyValues(order, { print: '', since: null, key }));
    expect(read(good)).toBe('NONE');
    const bad: KeyPart[][] = [
      ['dead', 1],
      [5, 'a\0b', '\ud800'],
      ['5', 2 ** 40],
      [7, '-1', '1e3', '9'.repeat(19), ''],
      ['now', Number.MAX_SAFE_INTEGER, -1e14],
    ];
    for (const [at, values] of bad.entries()) {
      for (const value of values) expect([value, read(good.with(at, value))]).toEqual([value, 'CURSOR_INVALID']);
    }
    expect(read(good.slice(1))).toBe('CURSOR_INVALID');
  });
});

describe('what a list is asked for', () => {
  it('is one of a page and two directions, and never more', () => {
    const cursor = encodeCursor({ print: 'x', since: null, key: [1] });
    expect(codeOf(() => listRequest({ page: 1, after: cursor }))).toBe('CURSOR_CONFLICT');
    expect(codeOf(() => listRequest({ page: 1, before: cursor }))).toBe('CURSOR_CONFLICT');
    expect(codeOf(() => listRequest({ before: cursor, after: cursor }))).toBe('CURSOR_CONFLICT');
    expect(listRequest({ size: 7, after: cursor })).toMatchObject({ size: 7, direction: 'after' });
    expect(listRequest({})).toEqual({ size: 50, page: 1 });
  });
});

describe('a list in memory', () => {
  it('is walked by cursor in either direction, each row once', () => {
    const all = Array.from({ length: 23 }, (_, at) => at);
    const even = (n: number) => n % 2 === 0;
    const list = { ...numbers, of: ['even'] };
    const walk = (direction: 'after' | 'before') => {
      const seen: number[][] = [];
      let found = readArray(list, all, even, { size: 5, page: direction === 'after' ? 1 : 3 });
      for (;;) {
        seen.push(found.rows);
        const cursor = direction === 'after' ? found.wrapper.nextCursor : found.wrapper.previousCursor;
        if (cursor === null) return seen;
        found = readArray(list, all, even, { size: 5, direction, cursor: decodeCursor(cursor) });
      }
    };
    expect(walk('after')).toEqual([
      [0, 2, 4, 6, 8],
      [10, 12, 14, 16, 18],
      [20, 22],
    ]);
    expect(walk('before')).toEqual([
      [20, 22],
      [10, 12, 14, 16, 18],
      [0, 2, 4, 6, 8],
    ]);
  });
});

describe('what is looked through without an index', () => {
  it('keeps nobody of the same merchant waiting for totals that an index leads to', async () => {
    const looking: (() => void)[] = [];
    const reading = {
      snapshot: () => new Promise<void>((ended) => looking.push(ended)),
    } as unknown as Database['reading'];
    const deps = { database: { reading } as unknown as Database, clock: systemClock };
    const tenant = { merchantId: '0199d2c0-0000-7000-8000-000000000001', mode: 'LIVE' } as const;
    const totals = (filter: InboundFilter) => addUpInboundPayments(deps, tenant, filter, undefined);
    const searches = [totals({ payer: 'Ada' }), totals({ payer: 'Obi' })];
    const ofDay = [totals({ from: new Date() }), totals({})];
    await new Promise((resolve) => setImmediate(resolve));
    // One search, and one of the others.
    expect(looking).toHaveLength(2);
    looking[1]?.();
    await ofDay[0];
    expect(looking).toHaveLength(3);
    looking[2]?.();
    await ofDay[1];
    looking[0]?.();
    await searches[0];
    looking[3]?.();
    await searches[1];
  });

  it('is not looked for, and keeps no place, once its caller has gone away', async () => {
    const looking: (() => void)[] = [];
    const reading = {
      snapshot: () => new Promise<void>((ended) => looking.push(ended)),
    } as unknown as Database['reading'];
    const left = new AbortController();
    const look = (gone?: AbortSignal) => lookThrough({ reading }, { owner: 'one', gone }, async () => undefined);
    const turns = () => new Promise((resolve) => setImmediate(resolve));
    // A page that asks again whenever something has changed, while its first search is under way.
    const first = look(left.signal);
    const abandoned = Promise.allSettled(Array.from({ length: 49 }, () => look(left.signal)));
    await turns();
    await expect(look()).rejects.toMatchObject({ code: 'SEARCHES_BUSY' });
    left.abort();
    const last = look();
    looking[0]?.();
    await first;
    await turns();
    expect(looking).toHaveLength(2);
    looking[1]?.();
    await last;
    expect((await abandoned).filter(({ status }) => status === 'fulfilled')).toEqual([]);
    // Every place was freed once.
    const many = Array.from({ length: 50 }, () => look());
    await expect(look()).rejects.toMatchObject({ code: 'SEARCHES_BUSY' });
    for (let at = 2; at < 52; at += 1) {
      await turns();
      looking[at]?.();
    }
    await Promise.all(many);
  });

  it('is one thing of a merchant at a time and two in all, so that many searches keep no others from the database', async () => {
    const looking: (() => void)[] = [];
    const reading = {
      snapshot: () => new Promise<void>((ended) => looking.push(ended)),
    } as unknown as Database['reading'];
    const look = (owner: string) => lookThrough({ reading }, { owner }, async () => undefined);
    const many = Array.from({ length: 50 }, () => look('many'));
    const turns = () => new Promise((resolve) => setImmediate(resolve));
    await turns();
    expect(looking).toHaveLength(1);
    await expect(look('many')).rejects.toMatchObject({ code: 'SEARCHES_BUSY', kind: 'unavailable' });
    const few = ['few', 'third'].map(look);
    await turns();
    expect(looking).toHaveLength(2);
    // Whoever came last has its turn before the others of whoever came first.
    looking[1]?.();
    await few[0];
    await turns();
    expect(looking).toHaveLength(3);
    looking[2]?.();
    await few[1];
    for (let at = 0; at < 52; at += 1) {
      looking[at]?.();
      await turns();
    }
    await Promise.all(many);
    const again = look('many');
    await turns();
    looking.at(-1)?.();
    await again;
  });

  const merchantId = '01930000-0000-7000-8000-000000000001';
  const tenant = { merchantId, mode: 'LIVE' } as const;

  /** Whether it is read in the turns of its merchant. */
  async function asked(
    read: (database: Database) => Promise<unknown>,
    known: Record<string, object> = {},
  ): Promise<boolean> {
    const names: string[] = [];
    const query = async ({ name }: Statement<never>) => {
      names.push(name);
      return name in known ? [known[name]] : [];
    };
    const reading = { query, snapshot: (work: (queries: unknown) => unknown) => work({ query }) };
    await read({ reading, query } as unknown as Database);
    return names.includes('limit-statements');
  }

  it('is looked for with an end, also in the logs of requests and actions, among sessions and what is kept', async () => {
    const requests = (filter: RequestFilter) =>
      asked((database) => readRequests(database, { merchantId, mode: 'LIVE' }, filter, listRequest({})));
    const actions = (filter: AuditFilter) =>
      asked((database) => readAuditOfMerchant(database, { ...filter, merchantId }, listRequest({})));
    const sessions = (filter: SessionFilter) =>
      asked((database) => readSessions({ database }, tenant, filter, listRequest({})));
    const kept = (filter: ReserveFilter) =>
      asked((database) => readReserves(database, tenant, filter, listRequest({})));
    expect(await Promise.all([sessions({ status: 'EXPIRED' }), sessions({ walletId: merchantId })])).toEqual([
      true,
      true,
    ]);
    expect(await Promise.all([sessions({}), sessions({ status: 'PAID', linkId: merchantId })])).toEqual([false, false]);
    expect(await Promise.all([kept({ walletId: merchantId }), kept({ status: 'RELEASED' }), kept({})])).toEqual([
      true,
      true,
      false,
    ]);
    const from = new Date();
    expect(await Promise.all([requests({ method: 'DELETE' }), requests({ code: 'X', from })])).toEqual([true, true]);
    expect(await Promise.all([requests({}), requests({ from })])).toEqual([false, false]);
    expect(await Promise.all([actions({ action: 'x' }), actions({ from }), actions({ outcome: 'DONE' })])).toEqual([
      true,
      true,
      true,
    ]);
    expect(await Promise.all([actions({ once: true, hidden: [] }), actions({ personId: merchantId })])).toEqual([
      false,
      false,
    ]);
  });

  it('is looked for with an end among customers, saved accounts, refunds, disputes and schedules', async () => {
    const first = listRequest({});
    const schedules = (wanted: { status?: 'SUCCESS'; from?: Date }) =>
      asked((database) => readSchedules(database, tenant, { status: undefined, ...wanted }, first));
    const searches = [
      asked((database) => readCustomers(database, tenant, 'a', first)),
      asked((database) => readBeneficiaries(database, tenant, 'a', first)),
      asked((database) => readRefunds(database, tenant, { reference: 'r' }, first)),
      asked((database) => readRefunds(database, tenant, { statuses: ['FAILED'] }, first)),
      asked((database) => readPaymentsToRefund(database, tenant, ['WAITING'], first)),
      asked((database) => readDisputes(database, tenant, { statuses: ['WON'] }, first)),
      asked((database) => readDisputes(database, tenant, { from: new Date() }, first)),
      schedules({ status: 'SUCCESS' }),
      schedules({ from: new Date() }),
    ];
    expect(await Promise.all(searches)).toEqual(searches.map(() => true));
    const led = [
      asked((database) => readCustomers(database, tenant, ' ', first)),
      asked((database) => readBeneficiaries(database, tenant, undefined, first)),
      asked((database) => readRefunds(database, tenant, { reference: 'r', paymentId: merchantId }, first)),
      asked((database) => readDisputes(database, tenant, { statuses: ['WON'], paymentId: merchantId }, first)),
      schedules({}),
    ];
    expect(await Promise.all(led)).toEqual(led.map(() => false));
  });

  const principal = { tenant, member: null, keyId: merchantId, keyCreatedBy: null } as unknown as Principal;
  const approvals = (search: ApprovalSearch, request = listRequest({})) =>
    asked((database) => readApprovals({ database, clock: systemClock }, principal, search, request));
  const items = (item_count: number, filter: ItemFilter, request = listRequest({})) =>
    asked(
      (database) =>
        readItems(database, tenant, { ...filter, batchReference: `MNB${merchantId.replaceAll('-', '')}` }, request),
      {
        'find-batch': { merchant_id: merchantId, mode: 'LIVE', id: merchantId, item_count },
      },
    );

  it('is looked for with an end among approvals by kind or time, and among the items of a batch of many', async () => {
    const from = new Date();
    const searches = [
      approvals({ kind: 'BATCH' }),
      approvals({ inbox: 'MINE', from }),
      items(MANY_ITEMS + 1, { isValid: false }),
      items(MANY_ITEMS + 1, { byMatch: true }),
      items(MANY_ITEMS + 1, { outcome: 'FAILED' }),
    ];
    expect(await Promise.all(searches)).toEqual(searches.map(() => true));
    const led = [
      approvals({}),
      approvals({ inbox: 'DECIDED', status: 'APPROVED' }),
      approvals({ kind: 'BATCH', subjectId: merchantId }),
      items(MANY_ITEMS + 1, { byMatch: false }),
      items(MANY_ITEMS, { isValid: false }),
    ];
    expect(await Promise.all(led)).toEqual(led.map(() => false));
  });

  it('is a page by its number far from the beginning of any list of a merchant that grows, and no page near it', async () => {
    const clock = systemClock;
    const lists = (request: ListRequest) => [
      asked((database) => readTransactions({ database, clock, details: payoutDetails }, tenant, {}, request)),
      asked((database) => readInboundPayments({ database, clock }, tenant, {}, request)),
      asked((database) => readSessions({ database }, tenant, {}, request)),
      asked((database) => readReserves(database, tenant, {}, request)),
      asked((database) => readRequests(database, tenant, {}, request)),
      approvals({}, request),
      items(1, {}, request),
      asked((database) => readSettlements({ database }, tenant, { statuses: undefined, walletId: undefined }, request)),
      asked((database) => readCustomers(database, tenant, undefined, request)),
      asked((database) => readBeneficiaries(database, tenant, undefined, request)),
      asked((database) => readRefunds(database, tenant, {}, request)),
      asked((database) => readPaymentsToRefund(database, tenant, undefined, request)),
      asked((database) => readDisputes(database, tenant, {}, request)),
      asked((database) => readSchedules(database, tenant, { status: undefined }, request)),
      asked((database) => readDeliveries({ database, clock }, tenant, {}, request)),
      asked((database) => readAccounts(database, tenant, {}, request)),
      asked((database) => readBatches(database, tenant, undefined, request)),
    ];
    const near = lists({ page: 501, size: 200 });
    expect(await Promise.all(near)).toEqual(near.map(() => false));
    const far = lists({ page: 502, size: 200 });
    expect(await Promise.all(far)).toEqual(far.map(() => true));
  });
});
