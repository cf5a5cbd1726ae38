import { parseArgs } from 'node:util';

/** What one run of the benchmark does: how much of everything, and what of it. */
export interface Plan {
  quick: boolean;
  json: boolean;
  /** The claim to measure alone, or all. */
  only: string | undefined;
  /** Other ledgers are asked for; the folder of each that is there. */
  peers: { pgledger: string | undefined } | undefined;
  /** Citus beside one server, instead of all else. */
  citus: boolean;
  /** Merchants over which the debits on Citus are spread, from few to many. */
  citusMerchants: readonly number[];
  connections: number;
  merchants: number;
  /** Merchants whose PIN is stored as the release before stored it: more than one run gets to. */
  oldPins: number;
  /** Stores of the one merchant whose wallet takes all the debits. */
  stores: number;
  rounds: number;
  warmUpSeconds: number;
  runSeconds: number;
  /** What was under way when a run was cut off is over by then, and does not run into the next one. */
  settleMs: number;
  /** Each candidate of a tuning (pool size, lanes) runs this long before the best is measured. */
  tuningSeconds: number;
  pgbenchScale: number;
  pgbenchClients: readonly number[];
  rowLockPools: readonly number[];
  ledgerCommitters: readonly number[];
  /** Transfers in the grown table; 0 leaves growth out. */
  grownTransfers: number;
  /** Payouts among which is searched. */
  searchedPayouts: number;
  /** Debits, one at a time, of one run against the quiet wallet. */
  quietDebits: number;
  /** Rows of the spreadsheet that is uploaded, dispatched and paid. */
  batchItems: number;
  /** Rows of the one that is paid by a rail that takes 200 ms. */
  slowBatchItems: number;
  webhookEvents: number;
  /** Events to a receiver that takes its time, in order and then unordered. */
  unorderedEvents: number;
  /** Credits that a provider lists in one window, and those of them that are missing here. */
  polledCredits: number;
  missingCredits: number;
}

const FULL: Omit<Plan, 'json' | 'only' | 'peers' | 'citus'> = {
  quick: false,
  citusMerchants: [100, 1_000, 5_000],
  connections: 256,
  merchants: 1_000,
  oldPins: 400,
  stores: 100,
  rounds: 3,
  warmUpSeconds: 3,
  runSeconds: 6,
  settleMs: 1_000,
  tuningSeconds: 2,
  pgbenchScale: 20,
  pgbenchClients: [4, 8, 16],
  rowLockPools: [5, 10, 20],
  ledgerCommitters: [1, 2, 4],
  grownTransfers: 10_000_000,
  searchedPayouts: 1_000_000,
  quietDebits: 1_000,
  batchItems: 100_000,
  slowBatchItems: 10_000,
  webhookEvents: 100_000,
  unorderedEvents: 2_000,
  polledCredits: 100_000,
  missingCredits: 50,
};

/** Shows that the bench itself works. Its figures mean nothing. */
const QUICK: typeof FULL = {
  ...FULL,
  quick: true,
  citusMerchants: [5, 20],
  merchants: 20,
  oldPins: 10,
  stores: 20,
  rounds: 1,
  warmUpSeconds: 0,
  runSeconds: 1,
  settleMs: 100,
  tuningSeconds: 0,
  pgbenchScale: 1,
  pgbenchClients: [8],
  rowLockPools: [10],
  ledgerCommitters: [1],
  grownTransfers: 0,
  searchedPayouts: 2_000,
  quietDebits: 50,
  batchItems: 300,
  slowBatchItems: 200,
  webhookEvents: 300,
  unorderedEvents: 100,
  polledCredits: 500,
  missingCredits: 5,
};

export const USAGE = `Usage: npm run bench -- [--quick] [--json] [--only=<load>] [--items=<rows>] [--peers] [--citus]

  --quick        one second a load and no growth: shows that the bench works, measures nothing
  --json         the result as JSON on stdout; progress always goes to stderr
  --only=<load>  one load and what it is compared with
  --items=<rows> of the spreadsheets that are paid, in place of 100,000 and of 10,000: a turn of half a minute
  --peers        another ledger beside this one, where its folder is named; else how to name it, and how to add others
  --citus        debits on Citus beside one server, both of them yours; without their addresses it says how to name them`;

/** Undefined for an option that is none. */
export function readPlan(argv: readonly string[]): Plan | 'help' | undefined {
  const values = readOptions(argv);
  if (values === undefined) return undefined;
  if (values.help) return 'help';
  const peers = values.peers ? { pgledger: process.env['PGLEDGER'] } : undefined;
  const items = values.items === undefined ? {} : itemsOf(values.items);
  if (items === undefined) return undefined;
  const { json, only, citus } = values;
  return { ...(values.quick ? QUICK : FULL), ...items, json, only, citus, peers };
}

function itemsOf(text: string): Pick<Plan, 'batchItems' | 'slowBatchItems'> | undefined {
  const items = Number(text);
  return Number.isInteger(items) && items > 0 ? { batchItems: items, slowBatchItems: items } : undefined;
}

function readOptions(argv: readonly string[]) {
  const options = {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    items: { type: 'string' },
    peers: { type: 'boolean', default: false },
    citus: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch {
    return undefined;
  }
}
