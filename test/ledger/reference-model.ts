import type { IdempotencyKey, SystemAccounts } from '../../src/ledger/index.ts';

/** The books as one would keep them on paper: no groups, no locks, no database. Everything is decided at once. */
export interface Model {
  /** The input of a request under a key that was not used before; none where the client sends no key. */
  freshKey(number: number | null, input: unknown): IdempotencyKey | undefined;
  usedKey(at: number): IdempotencyKey | undefined;
  move(move: { from: string; to: string; amountMinor: bigint }, key: IdempotencyKey | undefined): string;
  hold(
    id: string,
    terms: { payer: string; amountMinor: bigint; feeMinor: bigint },
    system: SystemAccounts,
    key: IdempotencyKey | undefined,
  ): string;
  step(id: string, from: readonly ModelStatus[], to: ModelStatus): string;
  /** By account id: debits and credits posted, debits and credits pending, number of transfers. */
  sums(): { id: string; sums: string[] }[];
  statuses(): { id: string; status: string }[];
}

export type ModelStatus = 'QUEUED' | 'PROCESSING' | 'SUCCESS' | 'FAILED' | 'REVERSED';

interface Account {
  id: string;
  debitsPosted: bigint;
  creditsPosted: bigint;
  debitsPending: bigint;
  creditsPending: bigint;
  transfers: bigint;
}

interface Payout {
  status: ModelStatus;
  lines: { from: string; to: string; amountMinor: bigint }[];
}

export function createModel(accountIds: readonly string[], customers: readonly string[]): Model {
  const accounts = new Map(accountIds.map((id): [string, Account] => [id, emptyAccount(id)]));
  const payouts = new Map<string, Payout>();
  const keys: IdempotencyKey[] = [];

  const account = (id: string) => accounts.get(id) as Account;

  /** One transfer: what it adds to posted and to pending, on both sides. */
  function transfer(line: { from: string; to: string; amountMinor: bigint }, posted: bigint, pending: bigint): void {
    const [from, to] = [account(line.from), account(line.to)];
    from.debitsPosted += posted * line.amountMinor;
    from.debitsPending += pending * line.amountMinor;
    to.creditsPosted += posted * line.amountMinor;
    to.creditsPending += pending * line.amountMinor;
    from.transfers += 1n;
    to.transfers += 1n;
  }

  const canPay = (id: string, amountMinor: bigint) => {
    const { creditsPosted, debitsPosted, debitsPending } = account(id);
    return !customers.includes(id) || creditsPosted - debitsPosted - debitsPending >= amountMinor;
  };

  return {
    freshKey(number, input) {
      if (number === null) return undefined;
      return { key: `${keys.length}-${number}`, inputHash: JSON.stringify(input) };
    },
    usedKey: (at) => (keys.length === 0 ? undefined : keys[at % keys.length]),
    move(move, key) {
      if (key !== undefined) keys.push(key);
      if (!canPay(move.from, move.amountMinor)) return 'INSUFFICIENT_FUNDS';
      transfer(move, 1n, 0n);
      return 'applied';
    },
    hold(id, { payer, amountMinor, feeMinor }, system, key) {
      if (key !== undefined) keys.push(key);
      if (!canPay(payer, amountMinor + feeMinor)) return 'INSUFFICIENT_FUNDS';
      const lines = [{ from: payer, to: system.payoutClearing, amountMinor }];
      if (feeMinor > 0n) lines.push({ from: payer, to: system.feeIncome, amountMinor: feeMinor });
      for (const line of lines) transfer(line, 0n, 1n);
      payouts.set(id, { status: 'QUEUED', lines });
      return 'applied';
    },
    step(id, from, to) {
      const payout = payouts.get(id);
      if (payout === undefined || !from.includes(payout.status)) return 'TRANSACTION_CONCLUDED';
      payout.status = to;
      if (to === 'SUCCESS') for (const line of payout.lines) transfer(line, 1n, -1n);
      if (to === 'FAILED') for (const line of payout.lines) transfer(line, 0n, -1n);
      const [amount] = payout.lines;
      if (to === 'REVERSED' && amount !== undefined) transfer({ ...amount, from: amount.to, to: amount.from }, 1n, 0n);
      return 'applied';
    },
    sums: () =>
      [...accounts.values()]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, ...sums }) => ({ id, sums: Object.values(sums).map(String) })),
    statuses: () => Array.from(payouts, ([id, { status }]) => ({ id, status })).sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

function emptyAccount(id: string): Account {
  return { id, debitsPosted: 0n, creditsPosted: 0n, debitsPending: 0n, creditsPending: 0n, transfers: 0n };
}
