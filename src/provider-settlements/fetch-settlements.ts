import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import { DAY_MS } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { pollLists, readPages } from '../platform/jobs/poll-lists.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ProviderWebhookRequest, RailCaller, ReportedSettlement, SettlementCaller } from '../rails/index.ts';
import { railUnknown } from '../reconciliation/index.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import { settlementsNotFetched } from './errors.ts';
import {
  extendSettlementPoll,
  insertSettlementFetch,
  leaseSettlementPoll,
  releaseSettlementPoll,
  type SettlementFetchRow,
  updateSettlementPolled,
} from './fetch-queries.ts';

export interface FetchDeps extends ProviderSettlementDeps {
  jobs: JobMonitor;
  logger: Logger;
  onAlarm: OnAlarm | undefined;
}

const JOB = 'provider-settlements.poll';

/** The importer of what providers list or report: nobody here could have invented it, so one person applies it. */
export const SYSTEM = 'system';

/** A window begins so long before the end of the last one: a settlement is listed some days before it is paid out. */
const OVERLAP_MS = 14 * DAY_MS;
/** Where a process dies, others wait for so long. */
const LEASE_MS = 5 * 60_000;

/**
 * Reads all pages of what each provider of a mode lists as settled, and notes what is new: its lines are read when due.
 * A failure of one provider does not affect the others.
 * @returns how many settlements are new.
 */
export async function pollSettlements(deps: FetchDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const named = (await deps.rails.listNamed()).filter((rail) => rail.mode === mode);
  return pollLists(named, {
    failures: deps.jobs.failuresOf(JOB),
    message: 'the settlements of a provider could not be listed',
    stopped,
    async read({ name }) {
      const source = (await deps.rails.findRail(mode, name))?.wallets?.settlements;
      return source?.lists === true ? pollRail(deps, { name, mode, source }, stopped) : 0;
    },
    release: ({ name }) => deps.database.query(releaseSettlementPoll, [name]),
  });
}

async function pollRail(
  deps: FetchDeps,
  { name, mode, source }: { name: string; mode: Mode; source: SettlementCaller },
  stopped?: AbortSignal,
): Promise<number | undefined> {
  const { database, clock } = deps;
  const now = clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const [poll] = await database.query(leaseSettlementPoll, [name, mode, now, lease]);
  if (poll === undefined) return undefined;
  const from = new Date(Math.min(poll.polled_to.getTime(), now.getTime()) - OVERLAP_MS);
  // What is paid out today may be dated later in the day.
  const to = new Date(now.getTime() + DAY_MS);
  const { taken, unreadable } = await readPages(
    { clock, stopped },
    {
      page: (cursor) => source.listSettlements({ from, to, cursor }),
      idsOf: ({ settlements }) => settlements.map(({ reference }) => reference),
      take: async ({ settlements }) => {
        let added = 0;
        for (const settlement of settlements) {
          if (await note(deps, { rail: name, mode, source: 'LIST', notedBy: SYSTEM }, settlement)) added += 1;
        }
        await database.query(extendSettlementPoll, [name, new Date(clock.now().getTime() + LEASE_MS)]);
        return added;
      },
    },
  );
  if (deps.jobs.isNews(JOB, name, unreadable)) {
    deps.logger.error(
      { rail: name, mode, unreadable: unreadable.lines },
      'a list of settlements has entries that cannot be read',
    );
    deps.onAlarm?.({ alarm: 'SETTLEMENT_ENTRY_UNREADABLE', mode, rail: name });
  }
  await database.query(updateSettlementPolled, [name, now]);
  return taken;
}

/** Only settlements that were paid out count: one that is open, or failed, is listed again when it is paid out. */
async function note(
  { database, clock }: Pick<FetchDeps, 'database' | 'clock'>,
  given: Pick<SettlementFetchRow, 'rail' | 'mode' | 'source'> & { notedBy: string },
  settlement: ReportedSettlement,
): Promise<boolean> {
  const { rail, mode, source, notedBy } = given;
  const { reference, status, currency, lumpMinor, settledOn } = settlement;
  if (status !== 'SETTLED' || currency !== DEFAULT_CURRENCY || (settlement.mode ?? mode) !== mode) return false;
  const values = [rail, reference, mode, source, lumpMinor, currency, settledOn, notedBy, clock.now()];
  return (await database.query(insertSettlementFetch, values)).length > 0;
}

/**
 * Notes the settlements that a provider's webhook reports; their lines are read from the provider. Copies change
 * nothing.
 * @returns how many are new.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export async function takeSettlementNotice(
  deps: Pick<FetchDeps, 'database' | 'clock'>,
  rail: RailCaller,
  mode: Mode,
  request: ProviderWebhookRequest,
): Promise<number> {
  const reported = (await rail.wallets?.settlements?.readNotice(request)) ?? [];
  let added = 0;
  for (const settlement of reported) {
    const given = { rail: rail.name, mode, source: 'WEBHOOK', notedBy: SYSTEM } as const;
    if (await note(deps, given, settlement)) added += 1;
  }
  return added;
}

/**
 * Requests the lines of a settlement that no list and no webhook brought, for one of the operator's people. That it was
 * paid out, and how much, is what this person says, so another one applies it.
 * @returns whether it was not known before.
 * @throws AppError 404 `RAIL_NOT_FOUND`; 400 `VALIDATION_FAILED`; 409 `SETTLEMENT_NOT_FETCHED` where the provider has no such
 *   interface.
 */
export async function requestSettlementFetch(
  deps: ProviderSettlementDeps,
  given: { rail: string; mode: Mode; reference: string; lumpMinor: bigint; settledOn: string; email: string },
): Promise<boolean> {
  const { mode, lumpMinor, settledOn, email } = given;
  const rail = await deps.rails.findRail(mode, given.rail);
  if (rail === undefined) throw railUnknown(given.rail);
  if (rail.wallets?.settlements === undefined) throw settlementsNotFetched(given.rail);
  const reference = given.reference.trim();
  if (reference === '' || reference.length > MAX_REFERENCE) {
    throw invalidField('reference', `must be the provider's own, of at most ${MAX_REFERENCE} characters`);
  }
  if (lumpMinor < 0n) throw invalidField('lumpSum', 'must not be below zero');
  const settlement = { reference, status: 'SETTLED', mode, currency: DEFAULT_CURRENCY, lumpMinor, settledOn } as const;
  return note(deps, { rail: given.rail, mode, source: 'PERSON', notedBy: email }, settlement);
}

const MAX_REFERENCE = 100;
