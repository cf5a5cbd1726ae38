import { describe, expect, it } from 'vitest';
import { availableMinor, type BooksView, bookedMinor, decide, type RowCollector } from '../../src/ledger/decide.ts';
import type { Movement, ResolutionDraft, TransferDraft } from '../../src/ledger/movement.ts';
import type { AccountKind, AccountRow, PendingRow } from '../../src/ledger/queries.ts';
import { type StateChange, stateMachine } from '../../src/ledger/state-machine.ts';
import { success } from '../../src/platform/answer.ts';
import { AppError } from '../../src/platform/errors.ts';

const merchantId = '00000000-0000-7000-8000-000000000001';
const tenant = { merchantId, mode: 'SANDBOX' as const };
const TENANT = `${merchantId}/SANDBOX`;
const lamp = stateMachine<'OFF' | 'ON' | 'BROKEN'>('lamp', 'lamps', { OFF: ['ON'], ON: ['OFF', 'BROKEN'], BROKEN: [] });
const stuck = () => new AppError('conflict', 'LAMP_STUCK', 'The lamp is stuck.');

function account(id: string, kind: AccountKind, creditsPosted = 0n): AccountRow {
  return {
    merchant_id: merchantId,
    mode: 'SANDBOX',
    id,
    kind,
    currency: 'NGN',
    debits_posted_minor: 0n,
    credits_posted_minor: creditsPosted,
    debits_pending_minor: 0n,
    credits_pending_minor: 0n,
    sequence: 0n,
  };
}

interface Collected extends RowCollector {
  rows: Record<string, unknown>[];
  into(name: string): Record<string, unknown>[];
  changes: StateChange[];
  touched: Set<AccountRow>;
}

function collector(): Collected {
  const all: { name: string; row: Record<string, unknown> }[] = [];
  return {
    rows: [],
    changes: [],
    touched: new Set(),
    into: (name) => all.filter((write) => write.name === name).map(({ row }) => row),
    add(write) {
      all.push({ name: write.into.name, row: write.row });
      this.rows.push(write.row);
    },
    changeState(_machine, change) {
      this.changes.push(change);
    },
    touchAccount(touched) {
      this.touched.add(touched);
    },
    touchBooks() {},
    textOf: (_tenant, { data }) => ({ data, template_id: null }),
  };
}

/** A wallet with 100.00 in it, and where its money may go. */
function world() {
  const wallet = account('wallet', 'STORE_WALLET', 10_000n);
  const shop = account('shop', 'MERCHANT_WALLET');
  const clearing = account('clearing', 'PAYOUT_CLEARING');
  const fees = account('fees', 'FEE_INCOME');
  const view: BooksView = {
    eventSequences: new Map([[TENANT, 7n]]),
    accounts: new Map([wallet, shop, clearing, fees].map((row) => [row.id, row])),
    answers: new Map(),
    takenKeys: new Set(),
    templates: new Set(),
    states: new Map([['lamp/l1', 'OFF']]),
    pending: new Map(),
    resolved: new Set(),
  };
  return { view, wallet, shop, clearing, fees, rows: collector() };
}

let made = 0;

function movement(rest: Partial<Movement>): Movement {
  made += 1;
  return {
    tenant,
    id: `m${made}`,
    occurredAt: '2026-11-20T10:00:00.000Z',
    events: [{ id: `e${made}`, type: 'tested', subjectId: `m${made}`, data: '{}' }],
    answer: success(`answer ${made}`),
    ...rest,
  };
}

function transfer(kind: 'POSTED' | 'PENDING', to: string, amountMinor: bigint): TransferDraft {
  made += 1;
  return { kind, id: `t${made}`, debitAccountId: 'wallet', creditAccountId: to, amountMinor, code: 'PAYOUT' };
}

function resolution(kind: 'POST' | 'VOID', pendingId: string): ResolutionDraft {
  made += 1;
  return { kind, id: `t${made}`, pendingId, pendingTransactionId: 'held' };
}

/** A hold that is in the books already when the group begins. */
function holdInBooks({ view, wallet, clearing }: ReturnType<typeof world>, amountMinor: bigint): void {
  wallet.debits_pending_minor = amountMinor;
  clearing.credits_pending_minor = amountMinor;
  const held: Omit<PendingRow, 'id'> = {
    merchant_id: merchantId,
    mode: 'SANDBOX',
    debit_account_id: 'wallet',
    credit_account_id: 'clearing',
    amount_minor: amountMinor,
    code: 'PAYOUT',
  };
  view.pending.set('hold', { ...held, id: 'hold' });
}

function code(decision: ReturnType<typeof decide>): string {
  return decision instanceof AppError ? decision.code : decision.replayed ? 'replayed' : 'applied';
}

describe('a refused movement', () => {
  it('leaves nothing behind: no row, no touched account, no sum, sequence, claim, state or event', () => {
    const { view, rows } = world();
    const before = structuredClone(view);
    const refused = movement({
      transfers: [transfer('POSTED', 'shop', 10_001n)],
      uniqueKeys: [{ scope: 'reference', value: 'r1', refusal: stuck }],
      transitions: [{ machine: lamp, id: 'l1', from: ['OFF'], to: 'ON', reason: null, refusal: stuck }],
    });
    expect(code(decide(refused, view, rows))).toBe('INSUFFICIENT_FUNDS');
    expect(view).toEqual(before);
    expect(rows.rows).toEqual([]);
    expect(rows.changes).toEqual([]);
    expect(rows.touched.size).toBe(0);
  });

  it('says what is available, holds counted', () => {
    const w = world();
    holdInBooks(w, 4_000n);
    const refused = decide(movement({ transfers: [transfer('POSTED', 'shop', 6_001n)] }), w.view, w.rows);
    expect(refused).toMatchObject({ kind: 'refused', message: 'Insufficient funds: ₦60.00 is available.' });
  });

  it('says what was available before it, and what it needs, where several of its transfers take of one account', () => {
    const { view, rows } = world();
    const transfers = [transfer('POSTED', 'shop', 9_950n), transfer('POSTED', 'shop', 75n)];
    expect(decide(movement({ transfers }), view, rows)).toMatchObject({
      message: 'Insufficient funds: ₦100.00 is available, and ₦100.25 is needed in all.',
    });
  });

  it('does not touch its neighbours', () => {
    const { view, rows, wallet, shop } = world();
    const outcomes = [6_000n, 5_000n, 4_000n].map((amountMinor) =>
      code(decide(movement({ transfers: [transfer('POSTED', 'shop', amountMinor)] }), view, rows)),
    );
    expect(outcomes).toEqual(['applied', 'INSUFFICIENT_FUNDS', 'applied']);
    expect(bookedMinor(wallet)).toBe(0n);
    expect(bookedMinor(shop)).toBe(10_000n);
    expect(rows.into('insert-transfers').map((row) => row['debit_sequence'])).toEqual([1n, 2n]);
  });
});

describe('linked transfers', () => {
  it('are all made, each with the balance after it', () => {
    const { view, rows } = world();
    const linked = [transfer('POSTED', 'shop', 9_000n), transfer('POSTED', 'fees', 1_000n)];
    expect(code(decide(movement({ transfers: linked }), view, rows))).toBe('applied');
    expect(rows.into('insert-transfers').map((row) => row['debit_balance_minor'])).toEqual([1_000n, 0n]);
    expect(rows.touched.size).toBe(3);
  });

  it('are none made when the last one cannot be', () => {
    const w = world();
    holdInBooks(w, 1_000n);
    const before = structuredClone(w.view);
    const linked = [
      resolution('VOID', 'hold'),
      transfer('POSTED', 'shop', 9_000n),
      transfer('PENDING', 'fees', 1_001n),
    ];
    expect(code(decide(movement({ transfers: linked }), w.view, w.rows))).toBe('INSUFFICIENT_FUNDS');
    expect(w.view).toEqual(before);
    expect(w.rows.rows).toEqual([]);
  });
});

describe('a hold', () => {
  it('reserves without moving', () => {
    const { view, rows, wallet, clearing } = world();
    decide(movement({ transfers: [transfer('PENDING', 'clearing', 4_000n)] }), view, rows);
    expect([bookedMinor(wallet), availableMinor(wallet)]).toEqual([10_000n, 6_000n]);
    expect(clearing.credits_pending_minor).toBe(4_000n);
    expect(rows.into('insert-transfers')[0]).toMatchObject({ kind: 'PENDING', debit_balance_minor: 10_000n });
  });

  it('is posted once: money moves, and a second post is refused', () => {
    const w = world();
    holdInBooks(w, 4_000n);
    expect(code(decide(movement({ transfers: [resolution('POST', 'hold')] }), w.view, w.rows))).toBe('applied');
    expect([bookedMinor(w.wallet), availableMinor(w.wallet)]).toEqual([6_000n, 6_000n]);
    expect([bookedMinor(w.clearing), w.clearing.credits_pending_minor]).toEqual([4_000n, 0n]);
    for (const kind of ['POST', 'VOID'] as const) {
      const again = movement({ transfers: [resolution(kind, 'hold')] });
      expect(code(decide(again, w.view, w.rows))).toBe('HOLD_ALREADY_RESOLVED');
    }
    expect(bookedMinor(w.wallet)).toBe(6_000n);
  });

  it('releases everything when it is voided, and moves nothing', () => {
    const w = world();
    holdInBooks(w, 4_000n);
    expect(code(decide(movement({ transfers: [resolution('VOID', 'hold')] }), w.view, w.rows))).toBe('applied');
    expect([bookedMinor(w.wallet), availableMinor(w.wallet)]).toEqual([10_000n, 10_000n]);
    expect([bookedMinor(w.clearing), w.clearing.credits_pending_minor]).toEqual([0n, 0n]);
  });

  it('stays open when the movement that would end it is refused', () => {
    const w = world();
    holdInBooks(w, 4_000n);
    const tooMuch = movement({ transfers: [resolution('POST', 'hold'), transfer('POSTED', 'shop', 6_001n)] });
    expect(code(decide(tooMuch, w.view, w.rows))).toBe('INSUFFICIENT_FUNDS');
    expect(code(decide(movement({ transfers: [resolution('VOID', 'hold')] }), w.view, w.rows))).toBe('applied');
  });

  it('keeps its amount from being spent otherwise', () => {
    const w = world();
    holdInBooks(w, 4_000n);
    const spend = movement({ transfers: [transfer('POSTED', 'shop', 6_001n)] });
    expect(code(decide(spend, w.view, w.rows))).toBe('INSUFFICIENT_FUNDS');
  });
});

describe('what has to stay in a wallet', () => {
  it('is not taken by who says so, to the kobo, holds counted, and is there for everybody else', () => {
    const { view, rows, wallet } = world();
    const leaving = (keepMinor: bigint, amountMinor: bigint) =>
      code(
        decide(movement({ transfers: [{ ...transfer('PENDING', 'clearing', amountMinor), keepMinor }] }), view, rows),
      );
    expect([leaving(6_000n, 4_001n), leaving(6_000n, 4_000n), leaving(6_000n, 1n)]).toEqual([
      'INSUFFICIENT_FUNDS',
      'applied',
      'INSUFFICIENT_FUNDS',
    ]);
    expect(availableMinor(wallet)).toBe(6_000n);
    expect(leaving(0n, 6_000n)).toBe('applied');
  });

  it('is not said to be available', () => {
    const { view, rows } = world();
    const transfers = [{ ...transfer('PENDING', 'clearing', 4_001n), keepMinor: 6_000n }];
    expect(decide(movement({ transfers }), view, rows)).toMatchObject({
      message: 'Insufficient funds: ₦40.00 is available.',
    });
  });
});

describe('an idempotency key', () => {
  const idempotency = { key: 'k1', inputHash: 'h1' };

  it('used twice in one group has one effect and one answer', () => {
    const { view, rows, wallet } = world();
    const first = decide(movement({ idempotency, transfers: [transfer('POSTED', 'shop', 100n)] }), view, rows);
    const second = decide(movement({ idempotency, transfers: [transfer('POSTED', 'shop', 100n)] }), view, rows);
    expect([code(first), code(second)]).toEqual(['applied', 'replayed']);
    expect(second).toMatchObject({ answer: (first as { answer: unknown }).answer });
    expect(bookedMinor(wallet)).toBe(9_900n);
    expect(rows.into('insert-idempotency-keys')).toHaveLength(1);
  });

  it('used with another input is refused, and the first answer stays', () => {
    const { view, rows } = world();
    decide(movement({ idempotency, transfers: [transfer('POSTED', 'shop', 100n)] }), view, rows);
    const other = movement({
      idempotency: { key: 'k1', inputHash: 'h2' },
      transfers: [transfer('POSTED', 'shop', 1n)],
    });
    expect(code(decide(other, view, rows))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(code(decide(movement({ idempotency }), view, rows))).toBe('replayed');
  });

  it('remembers a refusal without an effect, so that a late copy moves nothing', () => {
    const { view, rows, wallet } = world();
    decide(movement({ idempotency, transfers: [transfer('POSTED', 'shop', 10_001n)] }), view, rows);
    expect(rows.into('insert-idempotency-keys')).toMatchObject([{ answer_status: 422, transaction_id: null }]);
    wallet.credits_posted_minor += 5_000n;
    const late = decide(movement({ idempotency, transfers: [transfer('POSTED', 'shop', 10_001n)] }), view, rows);
    expect(late).toMatchObject({ replayed: true, answer: { status: 422 } });
    expect(wallet.debits_posted_minor).toBe(0n);
  });

  it('keeps no refusal that only asks for another attempt: the same request goes through once nothing is in its way', () => {
    const { view, rows } = world();
    const busy = () => new AppError('conflict', 'LAMP_BUSY', 'Please try again.', { retryable: true });
    const once = { idempotency, uniqueKeys: [{ scope: 'reference', value: 'r1', refusal: busy }] };
    view.takenKeys.add(`${TENANT}/reference/r1`);
    const refused = decide(movement(once), view, rows);
    expect([code(refused), (refused as AppError).kept]).toEqual(['LAMP_BUSY', false]);
    expect(rows.rows).toEqual([]);
    view.takenKeys.clear();
    expect(code(decide(movement(once), view, rows))).toBe('applied');
  });

  it('is the tenant’s own: the same key of the same merchant in another mode is another key', () => {
    const { view, rows } = world();
    view.eventSequences.set(`${merchantId}/LIVE`, 0n);
    decide(movement({ idempotency }), view, rows);
    const live = movement({ tenant: { merchantId, mode: 'LIVE' }, idempotency });
    expect(code(decide(live, view, rows))).toBe('applied');
  });
});

describe('a claim', () => {
  it('is taken once for ever', () => {
    const { view, rows } = world();
    const uniqueKeys = [{ scope: 'reference', value: 'r1', refusal: stuck }];
    expect(code(decide(movement({ uniqueKeys }), view, rows))).toBe('applied');
    expect(code(decide(movement({ uniqueKeys }), view, rows))).toBe('LAMP_STUCK');
    expect(rows.into('insert-unique-keys')).toHaveLength(1);
  });
});

describe('a transition', () => {
  const switchTo = (from: string[], to: string) =>
    movement({ transitions: [{ machine: lamp, id: 'l1', from, to, reason: null, refusal: stuck }] });

  it('is guarded by the state as the movement before it left it', () => {
    const { view, rows } = world();
    const outcomes = [switchTo(['OFF'], 'ON'), switchTo(['OFF'], 'ON'), switchTo(['ON'], 'BROKEN')].map((one) =>
      code(decide(one, view, rows)),
    );
    expect(outcomes).toEqual(['applied', 'LAMP_STUCK', 'applied']);
    expect(rows.into('insert-state-changes').map((row) => [row['from_state'], row['to_state']])).toEqual([
      ['OFF', 'ON'],
      ['ON', 'BROKEN'],
    ]);
  });

  it('of a row that is not the tenant’s is refused', () => {
    const { view, rows } = world();
    view.states.clear();
    expect(code(decide(switchTo(['OFF'], 'ON'), view, rows))).toBe('LAMP_STUCK');
  });

  it('that the machine does not know is a defect', () => {
    const { view, rows } = world();
    expect(() => decide(switchTo(['OFF'], 'BROKEN'), view, rows)).toThrow('no transition from OFF to BROKEN');
  });
});

describe('the first step of a row that the movement writes', () => {
  const begun = (from: string, to: string) => movement({ firstSteps: [{ machine: lamp, id: 'l2', from, to }] });

  it('is in the history, and changes no row', () => {
    const { view, rows } = world();
    expect(code(decide(begun('OFF', 'ON'), view, rows))).toBe('applied');
    expect(rows.into('insert-state-changes')).toMatchObject([{ subject_id: 'l2', from_state: 'OFF', to_state: 'ON' }]);
    expect(rows.changes).toEqual([]);
  });

  it('that the machine does not know is a defect', () => {
    const { view, rows } = world();
    expect(() => decide(begun('OFF', 'BROKEN'), view, rows)).toThrow('no transition from OFF to BROKEN');
  });
});

describe('an answer that is an event', () => {
  const events = ['{"n":1}', '{"n":2}'].map((data, at) => ({ id: `a${at}`, type: 'tested', subjectId: 's', data }));

  it.each([
    ['the first unless another is named', {}, '{"n":1}', 8n],
    ['the one that is named', { event: 1 }, '{"n":2}', 9n],
  ])('is %s, and its key leads there', (_what, named, data, sequence) => {
    const { view, rows } = world();
    const idempotency = { key: 'k', inputHash: 'h' };
    const decision = decide(movement({ events, idempotency, answer: { message: 'Done', ...named } }), view, rows);
    expect(decision).toMatchObject({ answer: { body: `{"status":true,"message":"Done","data":${data}}` } });
    expect(rows.into('insert-idempotency-keys')).toMatchObject([{ event_sequence: sequence, answer_body: null }]);
  });
});

describe('a defect is thrown, never decided', () => {
  it.each([
    ['an account of another merchant', { merchant_id: '00000000-0000-7000-8000-000000000002' }],
    ['an account of the other mode', { mode: 'LIVE' }],
  ])('%s', (_what, strange) => {
    const { view, rows, shop } = world();
    Object.assign(shop, strange);
    expect(() => decide(movement({ transfers: [transfer('POSTED', 'shop', 1n)] }), view, rows)).toThrow(
      'is not one of',
    );
  });

  it.each([
    ['nothing moved', 0n, 'shop'],
    ['money moved backwards', -1n, 'shop'],
    ['an account that pays itself', 1n, 'wallet'],
  ])('%s', (_what, amountMinor, to) => {
    const { view, rows } = world();
    const wrong = movement({ transfers: [transfer('POSTED', to, amountMinor)] });
    expect(() => decide(wrong, view, rows)).toThrow('positive amount');
  });

  it('a hold that does not exist', () => {
    const { view, rows } = world();
    const wrong = movement({ transfers: [resolution('POST', 'nowhere')] });
    expect(() => decide(wrong, view, rows)).toThrow('no pending transfer');
  });
});

it('events of a tenant are numbered on from the last one', () => {
  const { view, rows } = world();
  for (let at = 0; at < 3; at += 1) decide(movement({}), view, rows);
  expect(rows.into('insert-event-rows').map((row) => row['sequence'])).toEqual([8n, 9n, 10n]);
});
