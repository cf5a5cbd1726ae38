import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Logger } from '../platform/logger.ts';
import { rememberFor } from '../platform/remember-for.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { createRailCaller, type RailCaller, type RailLimits } from '../rails/index.ts';
import { openCredentials } from './credentials.ts';
import { checkCredentials } from './providers.ts';
import {
  findTenantRails,
  listDefaultRails,
  listRailAccountRows,
  type RailAccountRow,
  type RailChoiceRow,
} from './queries.ts';

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
}

/** Which rails there are and which pay for whom. What it says of payouts is `PayoutRails` in payouts/rails.ts. */
export interface RailDirectory {
  /**
   * The rails for a tenant's next payouts, first choice first: the tenant's own choice, else the operator's default for
   * the mode, else the sandbox rail in SANDBOX and none in LIVE. Rails that are switched off are left out.
   * @throws AppError `RAIL_CREDENTIALS_UNREADABLE` where rails are chosen and none of them opens
   */
  listRails(tenant: Tenant): Promise<readonly RailCaller[]>;
  /**
   * The rail that a payout was given to, also when it was switched off: open payouts have to be asked about.
   * @throws AppError `RAIL_CREDENTIALS_UNREADABLE`
   */
  findRail(mode: Mode, name: string): Promise<RailCaller | undefined>;
  /** All of them, the sandbox rail first. */
  listNamed(): Promise<readonly NamedRail[]>;
  /** Circuits of the rails that this process has called, for metrics. */
  circuits(): { name: string; mode: Mode; circuit: 'closed' | 'half_open' | 'open' }[];
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
}

/** The built-in rail's name, which no account can have. */
export const SANDBOX = 'sandbox';

export function createRailDirectory(deps: RailDirectoryDeps): RailDirectory {
  const { database, clock, logger, sandboxRail } = deps;
  const readKnown = rememberFor(clock, MAX_AGE_MS, () => loadKnown(database));
  const readAgain = rememberFor(clock, UNKNOWN_NAME_PAUSE_MS, () => loadKnown(database));
  const choices = new LRUCache<string, () => Promise<RailChoiceRow | undefined>>({ max: TENANTS_MAX });
  const opened = new Map<string, Opened>();
  /** Sealed texts that would not open: said once in the log, not at every payout. */
  const complainedOf = new Set<string>();

  function choiceOf(tenant: Tenant): Promise<RailChoiceRow | undefined> {
    const key = keyOf(tenant);
    const known = choices.get(key);
    if (known !== undefined) return known();
    const read = rememberFor(clock, MAX_AGE_MS, () => loadChoice(database, tenant));
    choices.set(key, read);
    return read();
  }

  /** Made when it is first needed and kept, with its breaker, until its credentials are others. */
  function open(row: RailAccountRow): RailCaller {
    const sealed = `${row.mode}/${row.provider}/${row.base_url ?? ''}/${row.sealed_credentials}`;
    const known = opened.get(row.name);
    if (known?.sealed === sealed) return known.caller;
    const credentials = checkCredentials(row.provider, openCredentials(deps.secrets, row));
    const rail = credentials.createRail({ name: row.name, baseUrl: row.base_url ?? undefined, clock });
    const caller = createRailCaller(rail, { clock, ...(deps.limits === undefined ? {} : { limits: deps.limits }) });
    opened.set(row.name, { sealed, mode: row.mode, caller });
    return caller;
  }

  function complain(row: RailAccountRow, err: unknown): void {
    if (complainedOf.has(row.sealed_credentials)) return;
    complainedOf.add(row.sealed_credentials);
    logger.error({ err, rail: row.name }, 'a rail account cannot be used');
  }

  async function listRails(tenant: Tenant): Promise<readonly RailCaller[]> {
    const [{ accounts, defaults }, own] = await Promise.all([readKnown(), choiceOf(tenant)]);
    const { mode } = tenant;
    const choice = own?.first_rail == null ? defaults.get(mode) : own;
    if (choice === undefined) return mode === 'SANDBOX' ? [sandboxRail] : [];
    const callers: RailCaller[] = [];
    let unreadable: Error | undefined;
    for (const name of [choice.first_rail, choice.second_rail]) {
      if (name === SANDBOX && mode === 'SANDBOX') callers.push(sandboxRail);
      const row = name === null ? undefined : accounts.get(name);
      if (row === undefined || row.mode !== mode || !row.active) continue;
      try {
        callers.push(open(row));
      } catch (error) {
        complain(row, error);
        unreadable = error as Error;
      }
    }
    if (callers.length === 0 && unreadable !== undefined) throw unreadable;
    return callers;
  }

  async function findRail(mode: Mode, name: string): Promise<RailCaller | undefined> {
    if (name === SANDBOX) return mode === 'SANDBOX' ? sandboxRail : undefined;
    // One that was added a moment ago may have a payout of another process already.
    const row = (await readKnown()).accounts.get(name) ?? (await readAgain()).accounts.get(name);
    if (row === undefined || row.mode !== mode) return undefined;
    try {
      return open(row);
    } catch (error) {
      complain(row, error);
      throw error;
    }
  }

  const circuitOf = (name: string) => opened.get(name)?.caller.circuit() ?? null;

  return {
    listRails,
    findRail,
    async listNamed() {
      const { accounts } = await readKnown();
      const named = [...accounts.values()].map((row) => ({ ...viewOf(row), circuit: circuitOf(row.name) }));
      return [{ ...SANDBOX_RAIL, circuit: sandboxRail.circuit() }, ...named];
    },
    circuits() {
      const others = [...opened.entries()].map(([name, { mode, caller }]) => ({
        name,
        mode,
        circuit: caller.circuit(),
      }));
      return [{ name: SANDBOX, mode: 'SANDBOX', circuit: sandboxRail.circuit() }, ...others];
    },
    forget: (tenant) => void choices.delete(keyOf(tenant)),
  };
}

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

function keyOf({ merchantId, mode }: Tenant): string {
  return `${merchantId}/${mode}`;
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
