import { isDatabaseAway, lineOfFailure } from '../platform/errors.ts';
import { pollLists, readPages } from '../platform/jobs/poll-lists.ts';
import type { Mode } from '../platform/tenant.ts';
import { type DisputeDeps, type DisputeRail, findDisputeRail, listDisputeRails } from './deps.ts';
import {
  type DirectoryRow,
  extendDisputePoll,
  leaseDisputePoll,
  leaseReportedDisputes,
  releaseDisputePoll,
  updateDisputePolled,
} from './directory-queries.ts';
import { type DisputeRow, isEnded, leaseDueDisputes, leaseEndedDisputes, updateDisputeChecked } from './queries.ts';
import { takeDispute } from './take-dispute.ts';
import { nextCheckAt, nextChecksOfEnds } from './times.ts';

const POLL_JOB = 'disputes.poll';
/** Disputes that one process asks about at once, in each mode. */
const AT_ONCE = 16;
/** Longer than a question, and booking its answer, takes. */
const LEASE_MS = 60_000;
const POLL_LEASE_MS = 2 * 60_000;
/** A provider may list a dispute late, and the time to answer is short: each reading goes back so far. */
const OVERLAP_MS = 24 * 60 * 60_000;
/** For disputes that were opened before this service knew of disputes. */
const FIRST_MS = 60 * 24 * 60 * 60_000;

/**
 * Asks providers about due disputes of one mode: those that are open, and those that were only reported.
 * @returns how many.
 */
export async function askAboutDisputes(deps: DisputeDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const [running, reported] = await Promise.all([
    deps.database.query(leaseDueDisputes, [mode, now, lease, AT_ONCE]),
    deps.database.query(leaseReportedDisputes, [mode, now, lease, AT_ONCE]),
  ]);
  await Promise.all([...running.map((row) => askAlone(deps, row)), ...reported.map((row) => askAlone(deps, row))]);
  return running.length + reported.length;
}

/** Asks whether providers still say the ends that are in the books. @returns how many disputes were asked about. */
export async function askAboutEnds(deps: DisputeDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const { soon, later, endedForLater, endedForNone } = nextChecksOfEnds(now);
  const values = [mode, now, soon, later, endedForNone, endedForLater, AT_ONCE];
  const ended = await deps.database.query(leaseEndedDisputes, values);
  await Promise.all(ended.map((row) => askAlone(deps, row)));
  return ended.length;
}

/** A failure of one does not affect the others: its lease runs out, and it is asked about again. */
async function askAlone(deps: DisputeDeps, row: DisputeRow | DirectoryRow): Promise<void> {
  const failures = deps.jobs.failuresOf('disputes.ask');
  const key = `${row.rail}/${row.provider_dispute_id}`;
  try {
    await ask(deps, row);
    failures.succeeded(key);
  } catch (error) {
    failures.failed(key, error, { message: 'a dispute could not be asked about', mode: row.mode, rail: row.rail });
  }
}

async function ask(deps: DisputeDeps, row: DisputeRow | DirectoryRow): Promise<void> {
  const rail = await findDisputeRail(deps.rails, row.mode, row.rail);
  const hint = { providerDisputeId: row.provider_dispute_id };
  if ('checks' in row) {
    const taken = rail && (await takeDispute(deps, rail, hint, { source: 'CHECK' }));
    if (taken === 'CHANGED' || isEnded(row.status)) return;
    const at = deps.clock.now();
    await deps.database.query(updateDisputeChecked, [
      row.merchant_id,
      row.mode,
      row.id,
      nextCheckAt({ ...row, checks: row.checks + 1 }, at),
    ]);
  } else if (rail !== undefined) {
    await takeDispute(deps, rail, hint, { source: 'CHECK', retried: row });
  }
}

/**
 * Reads what each provider of a mode lists, so that even without webhooks nothing is missing.
 * @returns how many were taken.
 */
export async function pollDisputes(deps: DisputeDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  return pollLists(await listDisputeRails(deps.rails, mode), {
    failures: deps.jobs.failuresOf(POLL_JOB),
    message: 'disputes could not be listed',
    stopped,
    read: (rail) => pollRail(deps, rail, stopped),
    release: ({ name }) => deps.database.query(releaseDisputePoll, [name]),
  });
}

async function pollRail(deps: DisputeDeps, rail: DisputeRail, stopped?: AbortSignal): Promise<number | undefined> {
  const { database, clock } = deps;
  const to = clock.now();
  const lease = new Date(to.getTime() + POLL_LEASE_MS);
  const first = new Date(to.getTime() - FIRST_MS);
  const [poll] = await database.query(leaseDisputePoll, [rail.name, rail.mode, to, lease, first]);
  if (poll === undefined) return undefined;
  const from = new Date(Math.min(poll.polled_to.getTime(), to.getTime()) - OVERLAP_MS);
  const { taken, unreadable } = await readPages(
    { clock, stopped },
    {
      page: (cursor) => rail.disputes.listDisputes({ from, to, cursor }, stopped),
      idsOf: ({ disputes }) => disputes.map(({ providerDisputeId }) => providerDisputeId),
      take: async ({ disputes }) => {
        let some = 0;
        for (const { providerDisputeId } of disputes) {
          stopped?.throwIfAborted();
          some += await takeListed(deps, rail, providerDisputeId);
          await database.query(extendDisputePoll, [rail.name, new Date(clock.now().getTime() + POLL_LEASE_MS)]);
        }
        return some;
      },
    },
  );
  if (deps.jobs.isNews(POLL_JOB, rail.name, unreadable)) {
    deps.logger.error(
      { rail: rail.name, mode: rail.mode, unreadable: unreadable.lines },
      'a list of disputes has lines that cannot be read',
    );
    deps.onAlarm?.({ alarm: 'DISPUTE_LINE_UNREADABLE', mode: rail.mode, rail: rail.name });
  }
  await database.query(updateDisputePolled, [rail.name, to]);
  return taken;
}

/** A dispute that cannot be taken is read again with the next list; those behind it are taken. */
async function takeListed(deps: DisputeDeps, rail: DisputeRail, providerDisputeId: string): Promise<number> {
  try {
    const taken = await takeDispute(deps, rail, { providerDisputeId }, { source: 'POLL' });
    return taken === 'OPENED' || taken === 'CHANGED' ? 1 : 0;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    deps.logger.error(
      ...lineOfFailure(error, 'a listed dispute could not be taken', { rail: rail.name, mode: rail.mode }),
    );
    return 0;
  }
}
