import { isDatabaseAway, lineOfFailure } from '../platform/errors.ts';
import { pollLists, readPages } from '../platform/jobs/poll-lists.ts';
import type { Mode } from '../platform/tenant.ts';
import type { CreditHint } from '../rails/index.ts';
import type { CollectionDeps } from './deps.ts';
import {
  extendPoll,
  leaseDueOpenCredits,
  leasePoll,
  type OpenCreditRow,
  type PollRow,
  releasePoll,
  updatePolled,
} from './open-credit-queries.ts';
import { creditKeyOf, isReversedByProvider, keepOpenCredit, REVERSAL_KEY } from './open-credits.ts';
import type { CreditSource } from './queries.ts';
import {
  type CreditRail,
  findCreditRail,
  isBookedAs,
  isBookedNow,
  listCreditRails,
  type TakenCredit,
  takeCredit,
} from './take-credit.ts';

const JOB = 'credits.poll';
/** A window begins so long before the end of the last one: a provider may list a credit some minutes late. */
const OVERLAP_MS = 60 * 60_000;
/** Once a day the last three days are read again, for credits that were listed much later. */
const DEEP_EVERY_MS = 24 * 60 * 60_000;
const DEEP_MS = 72 * 60 * 60_000;
/** Where a process dies, others wait for so long. Longer than the question for a page, or for a few credits, takes. */
const LEASE_MS = 2 * 60_000;
/** Credits that are missing here and asked about at once. */
const AT_ONCE = 8;

/**
 * Reads all pages that each provider of a mode lists, from before the end of the last window until now, and takes what
 * is not in the books: even without webhooks nothing is missing after its window. A failure of one provider does not
 * affect the others.
 * @returns how many credits were taken.
 */
export async function pollCredits(deps: CollectionDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  return pollLists(await listCreditRails(deps.rails, mode), {
    failures: deps.jobs.failuresOf(JOB),
    message: 'a provider could not be polled',
    stopped,
    read: (rail) => pollRail(deps, rail, stopped),
    release: ({ name }) => deps.database.query(releasePoll, [name]),
  });
}

/** Called between two questions to the provider: extends the lease, unless this process has to end. */
type GoOn = () => Promise<void>;

async function pollRail(deps: CollectionDeps, rail: CreditRail, stopped?: AbortSignal): Promise<number | undefined> {
  const { database, clock } = deps;
  const to = clock.now();
  const [poll] = await database.query(leasePoll, [rail.name, rail.mode, to, new Date(to.getTime() + LEASE_MS)]);
  if (poll === undefined) return undefined;
  // Where the last reading failed, perhaps because it was too long, the short window comes first.
  const isDeep = isDeepDue(poll, to) && !deps.jobs.failuresOf(JOB).hasFailed(rail.name);
  const since = Math.min(poll.polled_to.getTime(), to.getTime());
  const from = new Date(Math.min(since - OVERLAP_MS, isDeep ? to.getTime() - DEEP_MS : since));
  const goOn = async () => {
    stopped?.throwIfAborted();
    await database.query(extendPoll, [rail.name, new Date(clock.now().getTime() + LEASE_MS)]);
  };
  const { taken, unreadable } = await readPages(
    { clock, stopped },
    {
      page: (cursor) => rail.wallets.listCredits({ from, to, cursor }, stopped),
      idsOf: ({ credits }) => credits.map(creditKeyOf),
      take: async ({ credits }) => {
        const some = await takeMissing(deps, rail, credits, goOn);
        await goOn();
        return some;
      },
    },
  );
  if (deps.jobs.isNews(JOB, rail.name, unreadable)) reportUnreadable(deps, rail, unreadable.lines);
  await database.query(updatePolled, [rail.name, to, isDeep, clock.now()]);
  return taken;
}

/**
 * Once a day; also where a clock that was ahead wrote the last time, by more than the clocks of several hosts differ.
 */
function isDeepDue({ polled_to, deep_polled_at }: PollRow, to: Date): boolean {
  const ago = to.getTime() - deep_polled_at.getTime();
  return ago >= DEEP_EVERY_MS || ago < 0 || polled_to.getTime() - to.getTime() > OVERLAP_MS;
}

/** Nobody can ask about such a line: people compare the provider's own list with the payments. */
function reportUnreadable(deps: CollectionDeps, { name: rail, mode }: CreditRail, lines: number): void {
  deps.logger.error({ rail, mode, lines }, 'a list of credits has lines that cannot be read');
  deps.onAlarm?.({ alarm: 'CREDIT_LINE_UNREADABLE', mode, rail });
}

async function takeMissing(
  deps: CollectionDeps,
  rail: CreditRail,
  listed: readonly CreditHint[],
  goOn: GoOn,
): Promise<number> {
  const due = await Promise.all(listed.map((hint) => isDue(deps, rail, hint)));
  const missing = listed.filter((_, at) => due[at]);
  let taken = 0;
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const some = missing.slice(at, at + AT_ONCE);
    const results = await Promise.all(some.map((hint) => takeAlone(deps, rail, hint)));
    await goOn();
    taken += results.filter(isBookedNow).length;
  }
  return taken;
}

/**
 * Whether a listed credit has to be taken: one that is not in the books; or one that went back, is in them, and that
 * people do not know of yet. Any other that went back never belonged to anybody.
 */
async function isDue(deps: CollectionDeps, rail: CreditRail, hint: CreditHint): Promise<boolean> {
  const isBooked = await isBookedAs(deps, rail, hint);
  if (hint.isReversal !== true || hint.providerTransactionId === null) return !isBooked;
  const known = { rail: rail.name, provider_transaction_id: hint.providerTransactionId };
  return isBooked && !(await isReversedByProvider(deps.database, known));
}

/** A credit that cannot be taken is kept and asked about again; those behind it are taken. */
async function takeAlone(deps: CollectionDeps, rail: CreditRail, hint: CreditHint): Promise<TakenCredit> {
  try {
    return await takeCredit(deps, rail, hint, { source: 'POLL' });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    deps.logger.error(
      ...lineOfFailure(error, 'a listed credit could not be taken', { rail: rail.name, mode: rail.mode }),
    );
    const { name, mode } = rail;
    const kept = { rail: name, mode, hint, source: 'POLL', code: null } as const;
    await keepOpenCredit(deps, { ...kept, status: 'WAITING', reason: 'CREDIT_NOT_TAKEN' });
    return 'OPEN';
  }
}

/** Credits that one process asks about at once, in each mode. */
const RETRIES_AT_ONCE = 16;
/** Longer than a question may take. */
const RETRY_LEASE_MS = 60_000;

/** Asks providers again about credits that were reported and not confirmed, of one mode. @returns how many were asked about. */
export async function retryOpenCredits(deps: CollectionDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const lease = new Date(now.getTime() + RETRY_LEASE_MS);
  const due = await deps.database.query(leaseDueOpenCredits, [mode, now, lease, RETRIES_AT_ONCE]);
  const failures = deps.jobs.failuresOf('credits.retry');
  await Promise.all(
    due.map(async (row) => {
      const key = `${row.rail}/${row.credit_key}`;
      try {
        await retry(deps, row);
        failures.succeeded(key);
      } catch (error) {
        failures.failed(key, error, { message: 'a reported credit could not be taken', mode, rail: row.rail });
        // Less and less often, and finally people decide. Where that fails too, the lease runs out.
        await keepWaiting(deps, row, 'CREDIT_NOT_TAKEN').catch(() => undefined);
      }
    }),
  );
  return due.length;
}

async function retry(deps: CollectionDeps, row: OpenCreditRow): Promise<void> {
  const taken = await askAboutOpenCredit(deps, row, row.source);
  if (taken === undefined) await keepWaiting(deps, row, 'PROVIDER_UNAVAILABLE');
}

async function keepWaiting(deps: CollectionDeps, row: OpenCreditRow, reason: string): Promise<void> {
  const { rail, mode, source } = row;
  const kept = { rail, mode, source, hint: hintOf(row), code: null, retried: row };
  await keepOpenCredit(deps, { ...kept, status: 'WAITING', reason });
}

/** The row as the hint that reported it. */
export function hintOf(row: OpenCreditRow): CreditHint {
  return {
    providerTransactionId: row.provider_transaction_id,
    providerReference: row.provider_reference,
    sessionId: row.session_id,
    accountNumber: row.account_number,
    amountMinor: row.reported_minor,
    ...(row.credit_key.startsWith(REVERSAL_KEY) && { isReversal: true as const }),
  };
}

const IN_THE_BOOKS: readonly TakenCredit[] = ['CREDITED', 'PENDING', 'HELD', 'ALREADY_TAKEN'];

/**
 * Asks the provider about a credit that is kept, and books what it confirms. A credit that is in the books ends.
 * @returns undefined where the provider account cannot be opened.
 */
export async function askAboutOpenCredit(
  deps: CollectionDeps,
  row: OpenCreditRow,
  source: CreditSource,
): Promise<TakenCredit | undefined> {
  const rail = await findCreditRail(deps.rails, row.mode, row.rail);
  if (rail === undefined) return undefined;
  const taken = await takeCredit(deps, rail, hintOf(row), { source, retried: row });
  if (IN_THE_BOOKS.includes(taken)) {
    await deps.credits.end({ rail: row.rail, keys: [row.credit_key], at: deps.clock.now() });
  }
  return taken;
}
