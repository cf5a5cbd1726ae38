import { cacheOne, createCache } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import {
  createRailCaller,
  createUnopenedRail,
  logCircuit,
  type Rail,
  type RailCaller,
  type RailLimits,
} from '../rails/index.ts';
import { railAccountUnusable } from './errors.ts';
import { checkCredentials, openCredentials } from './providers.ts';
import {
  findTenantRails,
  listDefaultRails,
  listRailAccountRows,
  type RailAccountRow,
  type RailChoiceRow,
} from './queries.ts';

interface OpenRailDeps {
  secrets: Secrets;
  clock: Clock;
}

/**
 * The adapter of an account, with its credentials. Asks nobody.
 * @throws AppError 503 `RAIL_CREDENTIALS_UNREADABLE`, `RAIL_ACCOUNT_UNUSABLE`; as `checkCredentials` where what was sealed
 *   is none of this version's
 */
export function openRail({ secrets, clock }: OpenRailDeps, row: RailAccountRow): Rail {
  try {
    const credentials = checkCredentials(row.provider, openCredentials(secrets, row));
    return credentials.createRail({ name: row.name, baseUrl: row.base_url ?? undefined, clock });
  } catch (error) {
    throw error instanceof AppError ? error : railAccountUnusable(row.name, error);
  }
}

/** Whether an account can be used where these secrets are. */
export function opens(deps: OpenRailDeps, row: RailAccountRow): boolean {
  try {
    openRail(deps, row);
    return true;
  } catch {
    return false;
  }
}

/** A change by the operator or by another process is known within this. */
const MAX_AGE_MS = 2_000;
/** A name that nobody knows makes the accounts be read again, though not more often than this. */
const UNKNOWN_NAME_PAUSE_MS = 250;
/** Tenants whose choice is remembered at once; the rest is read again. */
const TENANTS_MAX = 10_000;

export interface RailDirectoryDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
  /** The built-in rail: always there in SANDBOX, never in LIVE. */
  sandboxRail: RailCaller;
  /** Of each account's caller in this process. */
  limits?: Partial<RailLimits>;
}

export interface NamedRail {
  name: string;
  provider: string;
  mode: Mode;
  active: boolean;
  openToMerchants: boolean;
  /** Of this process; null where it has not called the rail yet. */
  circuit: 'closed' | 'half_open' | 'open' | null;
  /** False where its account does not open here, so that nothing can be asked of it. */
  opens: boolean;
}

/** Which rails there are and which pay for whom. What it says of payouts is `PayoutRails` in payouts/rails.ts. */
export interface RailDirectory {
  /**
   * The rails for a tenant's next payouts, first choice first: the tenant's own choice, else the operator's default for
   * the mode, else the sandbox rail in SANDBOX and none in LIVE. Rails that are switched off are left out, and so are
   * those that do not open, unless none of them does: then those are named, each with its `fault`.
   */
  listRails(tenant: Tenant): Promise<readonly RailCaller[]>;
  /**
   * The rail that a payout was given to, also when it was switched off: open payouts have to be asked about. One that
   * does not open has a `fault`.
   */
  findRail(mode: Mode, name: string): Promise<RailCaller | undefined>;
  /** The id of an account, which its name has for ever; null: the sandbox rail, which has none. */
  accountId(mode: Mode, name: string): Promise<string | null>;
  /** All of them, the sandbox rail first. */
  listNamed(): Promise<readonly NamedRail[]>;
  /** The rails that are switched on, for metrics: also those that nothing here has used yet. */
  railHealth(): { name: string; mode: Mode; circuit: 'closed' | 'half_open' | 'open'; opens: boolean }[];
  /** Drops what is remembered of a tenant's choice, because it has just changed here. */
  forget(tenant: Tenant): void;
}

interface Known {
  accounts: ReadonlyMap<string, RailAccountRow>;
  defaults: ReadonlyMap<Mode, RailChoiceRow>;
}

interface Opened {
  /** Of the row that it was made from: another one is another rail. */
  sealed: string;
  mode: Mode;
  caller: RailCaller;
  /** Somebody was given it to call it. */
  isUsed: boolean;
}

/** The built-in rail's name, which no account can have. */
export const SANDBOX = 'sandbox';

export function createRailDirectory(deps: RailDirectoryDeps): RailDirectory {
  const { database, clock, sandboxRail } = deps;
  let lastKnown: Known | undefined;
  const readKnown = cacheOne(clock, MAX_AGE_MS, async () => (lastKnown = await loadKnown(database)));
  const readAgain = cacheOne(clock, UNKNOWN_NAME_PAUSE_MS, () => loadKnown(database));
  const choices = createCache<RailChoiceRow | undefined>({ clock, ttlMs: MAX_AGE_MS, max: TENANTS_MAX });
  const opened = new Map<string, Opened>();
  const failures = deps.jobs.failuresOf('rails.open');

  function choiceOf(tenant: Tenant): Promise<RailChoiceRow | undefined> {
    return choices.read(tenantKey(tenant), () => loadChoice(database, tenant));
  }

  /**
   * Made when it is first needed and kept, with its breaker, until its credentials are others. One that does not open is
   * tried again after a while that grows, and stands in for itself until then.
   */
  function open(row: RailAccountRow): Opened {
    const sealed = `${row.mode}/${row.provider}/${row.base_url ?? ''}/${row.sealed_credentials}`;
    const known = opened.get(row.name);
    if (known?.sealed === sealed && (known.caller.fault === undefined || failures.isBackingOff(row.name))) {
      return known;
    }
    const made = { sealed, mode: row.mode, caller: callerOf(row), isUsed: known?.isUsed ?? false };
    opened.set(row.name, made);
    return made;
  }

  function use(row: RailAccountRow): RailCaller {
    const found = open(row);
    found.isUsed = true;
    return found.caller;
  }

  function callerOf(row: RailAccountRow): RailCaller {
    try {
      const rail = openRail(deps, row);
      failures.succeeded(row.name);
      return createRailCaller(rail, {
        clock,
        onCircuit: logCircuit(deps, row),
        ...(deps.limits === undefined ? {} : { limits: deps.limits }),
      });
    } catch (error) {
      failures.failed(row.name, error, { message: 'a rail account cannot be used', mode: row.mode, rail: row.name });
      return createUnopenedRail(row.name, error as AppError, clock);
    }
  }

  async function listRails(tenant: Tenant): Promise<readonly RailCaller[]> {
    const [{ accounts, defaults }, own] = await Promise.all([readKnown(), choiceOf(tenant)]);
    const { mode } = tenant;
    const choice = own?.first_rail == null ? defaults.get(mode) : own;
    if (choice === undefined) return mode === 'SANDBOX' ? [sandboxRail] : [];
    const callers: RailCaller[] = [];
    for (const name of [choice.first_rail, choice.second_rail]) {
      if (name === SANDBOX && mode === 'SANDBOX') callers.push(sandboxRail);
      const row = name === null ? undefined : accounts.get(name);
      if (row !== undefined && row.mode === mode && row.active) callers.push(use(row));
    }
    const opening = callers.filter(({ fault }) => fault === undefined);
    return opening.length === 0 ? callers : opening;
  }

  /** One that was added a moment ago may have a payout of another process already. */
  async function rowOf(mode: Mode, name: string): Promise<RailAccountRow | undefined> {
    const row = (await readKnown()).accounts.get(name) ?? (await readAgain()).accounts.get(name);
    return row?.mode === mode ? row : undefined;
  }

  async function findRail(mode: Mode, name: string): Promise<RailCaller | undefined> {
    if (name === SANDBOX) return mode === 'SANDBOX' ? sandboxRail : undefined;
    const row = await rowOf(mode, name);
    return row && use(row);
  }

  return {
    listRails,
    findRail,
    accountId: async (mode, name) => (name === SANDBOX ? null : ((await rowOf(mode, name))?.id ?? null)),
    async listNamed() {
      const { accounts } = await readKnown();
      const named = [...accounts.values()].map((row) => {
        // Opened here, so that one that does not open is seen before a payout needs it.
        const { caller, isUsed } = open(row);
        return { ...viewOf(row), ...healthOf(caller), ...(!isUsed && { circuit: null }) };
      });
      return [{ ...SANDBOX_RAIL, circuit: sandboxRail.circuit(), opens: true }, ...named];
    },
    railHealth() {
      // Who watches waits for no database: what was switched off meanwhile is known the next time.
      readKnown().catch(() => undefined);
      const inForce = [...(lastKnown?.accounts.values() ?? [])].filter(({ active }) => active);
      // Opened here, so that one that does not open is in the metrics before a payout needs it.
      const others = inForce.map((row) => ({ name: row.name, mode: row.mode, ...healthOf(open(row).caller) }));
      return [{ name: SANDBOX, mode: 'SANDBOX', ...healthOf(sandboxRail) }, ...others];
    },
    forget: (tenant) => choices.forget(tenantKey(tenant)),
  };
}

const healthOf = (caller: RailCaller) => ({ circuit: caller.circuit(), opens: caller.fault === undefined });

const SANDBOX_RAIL = {
  name: SANDBOX,
  provider: SANDBOX,
  mode: 'SANDBOX',
  active: true,
  openToMerchants: true,
} as const;

function viewOf({ name, provider, mode, active, open_to_merchants }: RailAccountRow) {
  return { name, provider, mode, active, openToMerchants: open_to_merchants };
}

async function loadKnown(database: Database): Promise<Known> {
  const [accounts, defaults] = await Promise.all([
    database.query(listRailAccountRows),
    database.query(listDefaultRails),
  ]);
  return {
    accounts: new Map(accounts.map((row) => [row.name, row])),
    defaults: new Map(defaults.map((row) => [row.mode, row])),
  };
}

async function loadChoice(database: Database, tenant: Tenant): Promise<RailChoiceRow | undefined> {
  const [row] = await database.query(findTenantRails, [tenant.merchantId, tenant.mode]);
  return row;
}
