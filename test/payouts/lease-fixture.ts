import { sendDuePayouts } from '../../src/payout-delivery/due-payouts.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import { AppError } from '../../src/platform/errors.ts';
import type { RailCaller, SendRequest } from '../../src/rails/index.ts';
import { type Merchant, type PayoutFixture, railsOf } from './payout-fixture.ts';

export const rowsOf = async <Row>(
  { database }: PayoutFixture,
  sql: string,
  { merchantId }: Pick<Merchant, 'merchantId'>,
): Promise<Row[]> => (await database.pool.query(sql, [merchantId])).rows;

/** Payouts by their state, whether a worker has them, and whether they may have been sent. */
export const standOf = (fixture: PayoutFixture, merchant: Pick<Merchant, 'merchantId'>) =>
  rowsOf<{ status: string; leased: boolean; sent: boolean; attempts: number; payouts: number }>(
    fixture,
    `select t.status, p.lease_id is not null as leased, p.sent_at is not null as sent, p.attempts, count(*)::int as payouts
       from payouts p join transactions t on t.merchant_id = p.merchant_id and t.id = p.id
      where p.merchant_id = $1 group by 1, 2, 3, 4 order by 1, 2`,
    merchant,
  );

/** In the hands of a worker that has not called its rail yet, or waits for its answer. */
export const LEASED = { status: 'PROCESSING', leased: true, sent: true, attempts: 1 };
/** Made leased, and released: certainly unsent. */
export const RELEASED = { status: 'PROCESSING', leased: false, sent: false, attempts: 1 };
/** Waits for its first lease. */
export const QUEUED = { status: 'QUEUED', leased: false, sent: false, attempts: 0 };

export const gone = () => new Promise<never>(() => undefined);

/** Its deps, where `send` decides what becomes of each call to send. */
export function withSends(
  { deps, caller }: PayoutFixture,
  send: (request: SendRequest, next: RailCaller['send']) => ReturnType<RailCaller['send']>,
): PayoutDeps {
  const rail: RailCaller = { ...caller, send: (request) => send(request, caller.send) };
  return { ...deps, rails: railsOf(rail) };
}

/** These deps, whose movements are committed by `commit`. */
export function withCommit(deps: PayoutDeps, commit: PayoutDeps['ledger']['commit']): PayoutDeps {
  return { ...deps, ledger: { ...deps.ledger, commit } };
}

/** The same, where each movement is committed and nobody learns of it. */
export function withLostAnswers(deps: PayoutDeps, committed: () => void = () => undefined): PayoutDeps {
  return withCommit(deps, async (movement) => {
    await deps.ledger.commit(movement);
    committed();
    throw new AppError('unavailable', 'OUTCOME_UNKNOWN', 'nobody knows whether it was committed');
  });
}

/** A process whose worker has what its requests make, and looks for nothing by itself. */
export function processWithWorker(deps: PayoutDeps) {
  const source = sendDuePayouts(deps);
  source.start?.();
  return { source, deps: { ...deps, newLeases: source.newLeases } };
}

export const KILLED = [
  'before the commit',
  'behind the commit',
  'before it sent',
  'when it had sent',
  'when the rail had answered',
  'when the books had it',
] as const;

type Killed = (typeof KILLED)[number];

/** The deps of a process that is killed the `left`th time that it gets to this step: nothing that it does has an effect after that. */
export function killedAt(fixture: PayoutFixture, step: Killed, left: number) {
  let isDead = false;
  let times = left;
  const dies = (here: Killed) => {
    if (here === step) times -= 1;
    isDead ||= times <= 0;
    return isDead;
  };
  const { database } = fixture.deps;
  const sends = withSends(fixture, async (request, next) => {
    if (dies('before it sent')) return gone();
    const answer = await next(request);
    return dies('when it had sent') ? gone() : answer;
  });
  const deps: PayoutDeps = {
    ...withCommit(sends, async (movement) => {
      const makes = movement.events?.[0]?.type === 'payout.queued';
      if (dies(makes ? 'before the commit' : 'when the rail had answered')) return gone();
      const done = await fixture.deps.ledger.commit(movement);
      return dies(makes ? 'behind the commit' : 'when the books had it') ? gone() : done;
    }),
    database: {
      ...database,
      query: (statement, values) => (isDead ? gone() : database.query(statement, values)),
      run: (into, rows) => (isDead ? gone() : database.run(into, rows)),
      transaction: (work, how) => (isDead ? gone() : database.transaction(work, how)),
    },
  };
  return { deps, isDead: () => isDead };
}
