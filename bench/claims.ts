import { PEER_CLIENTS, RAIL_CONCURRENCY, RECEIVER_MS, SLOW_RAIL_MS } from './loads.ts';
import { median, medianOf, type Run } from './run.ts';

/** All runs by name: `pgbench` has one for each number of clients, before and after. */
export type Results = ReadonlyMap<string, readonly Run[]>;

export interface Finding {
  measured: string;
  /** What it is compared with. */
  against: string;
  /** Measured by compared; undefined where there was nothing to compare with. */
  ratio: number | undefined;
  ok: boolean | undefined;
}

export interface Claim {
  name: string;
  sentence: string;
  target: string;
  /** The load that has to run for it; `pgbench` runs wherever it is compared with. */
  loads: readonly string[];
  comparesWithPgbench: boolean;
  /** Another ledger: measured where it is asked for. */
  isPeer?: true;
  judge(results: Results): Finding;
}

const rateText = (rate: number) => (Number.isFinite(rate) ? `${Math.round(rate).toLocaleString('en-GB')}/s` : 'none');
const millisecondsText = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
const rateOf = (results: Results, name: string) => medianOf(results.get(name) ?? [], 'rate');

/** The best run of any number of clients, not the median: the database gets the benefit of the doubt. */
export function bestPgbench(results: Results): number {
  const rates = [...results]
    .filter(([name]) => name.startsWith('pgbench'))
    .flatMap(([, runs]) => runs.map(({ rate }) => rate));
  return rates.length === 0 ? Number.NaN : Math.max(...rates);
}

function compare(measured: string, against: string, ratio: number, atLeast: number): Finding {
  if (!Number.isFinite(ratio)) return { measured, against, ratio: undefined, ok: undefined };
  return { measured, against, ratio, ok: ratio >= atLeast };
}

function timesPgbench(name: string, sentence: string, atLeast: number): Claim {
  return {
    name,
    sentence,
    target: `at least ${atLeast.toFixed(1)} x TPC-B`,
    loads: [name],
    comparesWithPgbench: true,
    judge(results) {
      const rate = rateOf(results, name);
      const base = bestPgbench(results);
      return compare(rateText(rate), rateText(base), rate / base, atLeast);
    },
  };
}

/** Two loads of the service: how the one stands to the other. */
function timesLoad(
  name: string,
  sentence: string,
  [load, base, says]: [string, string, string],
  atLeast: number,
): Claim {
  return {
    name,
    sentence,
    target: `at least ${atLeast} x ${says}`,
    loads: name === 'row-lock' ? ['one-wallet', 'row-lock'] : [name],
    comparesWithPgbench: false,
    judge(results) {
      const rate = rateOf(results, load);
      const against = rateOf(results, base);
      return compare(rateText(rate), rateText(against), rate / against, atLeast);
    },
  };
}

const secondsText = (seconds: number) => `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;

/** What is done once has to be done within a time; the ratio is of that time. */
function within(
  name: string,
  sentence: string,
  load: string,
  limits: { seconds: number; residentMb?: number; p99Ms?: number },
): Claim {
  const also = [
    ...(limits.residentMb === undefined ? [] : [`at most ${limits.residentMb} MB`]),
    ...(limits.p99Ms === undefined ? [] : [`others' p99 under ${limits.p99Ms} ms`]),
  ];
  return {
    name,
    sentence,
    target: [`within ${limits.seconds} s`, ...also].join(', '),
    loads: [load],
    comparesWithPgbench: false,
    judge(results) {
      const [run] = results.get(name) ?? [];
      if (run?.seconds === undefined) return { measured: 'none', against: '', ratio: undefined, ok: undefined };
      const { seconds, residentMb = 0, p99Ms = 0 } = run;
      const figures = [
        secondsText(seconds),
        ...(limits.residentMb === undefined ? [] : [`${Math.round(residentMb)} MB`]),
        ...(limits.p99Ms === undefined ? [] : [`others' p99 ${millisecondsText(p99Ms)}`]),
      ];
      const ok =
        seconds <= limits.seconds &&
        residentMb <= (limits.residentMb ?? Number.POSITIVE_INFINITY) &&
        p99Ms < (limits.p99Ms ?? Number.POSITIVE_INFINITY);
      return { measured: figures.join(', '), against: `${limits.seconds} s`, ratio: seconds / limits.seconds, ok };
    },
  };
}

/** A rail that takes its time is the limit: its calls at once, by the time of one. */
const slowRail: Claim = {
  name: 'slow-batch-conclude',
  sentence: `the same with a rail that takes ${SLOW_RAIL_MS} ms, fewer items`,
  target: `at least 0.85 x ${RAIL_CONCURRENCY} calls at once / ${SLOW_RAIL_MS} ms`,
  loads: ['slow-batch'],
  comparesWithPgbench: false,
  judge(results) {
    const rate = rateOf(results, 'slow-batch-conclude');
    const limit = RAIL_CONCURRENCY / (SLOW_RAIL_MS / 1000);
    return compare(rateText(rate), rateText(limit), rate / limit, 0.85);
  },
};

const WEBHOOK_SECONDS = 60;
const OF_BARE_POSTS = 0.9;

const webhooks: Claim = {
  name: 'webhooks',
  sentence: 'webhook events of one merchant to a local receiver, in order; seconds from the start of the worker',
  target: `at least ${OF_BARE_POSTS} x bare posts, all within ${WEBHOOK_SECONDS} s`,
  loads: ['webhooks'],
  comparesWithPgbench: false,
  judge(results) {
    const [run] = results.get('webhooks') ?? [];
    const bare = rateOf(results, 'bare-posts');
    if (run?.seconds === undefined) return { measured: 'none', against: '', ratio: undefined, ok: undefined };
    const ratio = run.rate / bare;
    return {
      measured: `${secondsText(run.seconds)}, ${rateText(run.rate)}`,
      against: `${rateText(bare)} bare posts`,
      ratio,
      ok: run.seconds <= WEBHOOK_SECONDS && ratio >= OF_BARE_POSTS,
    };
  },
};

const UNORDERED_TIMES = 3;

const unordered: Claim = {
  name: 'unordered',
  sentence: `webhooks to a receiver that takes ${RECEIVER_MS} ms, its address marked as unordered, against in order`,
  target: `at least ${UNORDERED_TIMES} x in order`,
  loads: ['unordered'],
  comparesWithPgbench: false,
  judge(results) {
    const [rate, ordered] = [rateOf(results, 'unordered'), rateOf(results, 'ordered')];
    return compare(rateText(rate), rateText(ordered), rate / ordered, UNORDERED_TIMES);
  },
};

const PAYOUT_US = 500;

/** Processor time of service and database: a rail without delay leaves nothing else to wait for. */
const payouts: Claim = {
  name: 'payouts',
  sentence: 'a payout from its request to its end, a rail without delay: processor time of service and database',
  target: `at most ${PAYOUT_US} µs`,
  loads: ['payouts'],
  comparesWithPgbench: false,
  judge(results) {
    const us =
      medianOf(results.get('payouts') ?? [], 'serviceCpuUs') + medianOf(results.get('payouts') ?? [], 'databaseCpuUs');
    const ok = Number.isFinite(us) ? us <= PAYOUT_US : undefined;
    const measured = `${Math.round(us)} µs, ${rateText(rateOf(results, 'payouts'))}`;
    return { measured, against: `${PAYOUT_US} µs`, ratio: us / PAYOUT_US, ok };
  },
};

/** The best run of any number of clients, as with pgbench. */
const pgledger: Claim = {
  name: 'pgledger',
  sentence: 'store debits over HTTP with everything on, against pgledger on a socket with nothing but the transfer',
  target: 'none',
  loads: ['one-wallet', 'pgledger'],
  comparesWithPgbench: false,
  isPeer: true,
  judge(results) {
    const rate = rateOf(results, 'one-wallet');
    const best = Math.max(...PEER_CLIENTS.map((clients) => rateOf(results, `pgledger-${clients}`)));
    return { measured: rateText(rate), against: rateText(best), ratio: rate / best, ok: undefined };
  },
};

const CREDITS_A_SECOND = 1_000;
const POLL_SECONDS = 60;

const creditsRate = timesPgbench('credits', 'signed credit webhooks of one merchant, each asked for and booked', 0.25);

const credits: Claim = {
  ...creditsRate,
  target: `at least ${CREDITS_A_SECOND}/s and 0.25 x TPC-B`,
  judge(results) {
    const finding = creditsRate.judge(results);
    return { ...finding, ok: rateOf(results, 'credits') < CREDITS_A_SECOND ? false : finding.ok };
  },
};

const creditPoll: Claim = {
  name: 'credit-poll',
  sentence: 'a window of 100,000 credits polled, 50 of them missing here and then credited',
  target: `within ${POLL_SECONDS} s`,
  loads: ['credit-poll'],
  comparesWithPgbench: false,
  judge(results) {
    const [run] = results.get('credit-poll') ?? [];
    if (run?.seconds === undefined) return { measured: 'none', against: '', ratio: undefined, ok: undefined };
    return { measured: secondsText(run.seconds), against: '', ratio: undefined, ok: run.seconds <= POLL_SECONDS };
  },
};

const creditCopies: Claim = {
  name: 'credit-copies',
  sentence: 'one signed credit webhook 100 times at once over 8 processes: one posting, all answered 200',
  target: 'one posting',
  loads: ['credit-copies'],
  comparesWithPgbench: false,
  judge(results) {
    const [run] = results.get('credit-copies') ?? [];
    if (run?.seconds === undefined) return { measured: 'none', against: '', ratio: undefined, ok: undefined };
    // The run itself fails where there is not exactly one.
    return { measured: `one, in ${secondsText(run.seconds)}`, against: '', ratio: undefined, ok: true };
  },
};

const P99_MS = 80;
const MEMORY_MB = 250;
const QUIET_TIMES = 3;

const oneWalletRate = timesPgbench(
  'one-wallet',
  'store debits over HTTP into one merchant wallet, 256 connections',
  2.5,
);

const oneWallet: Claim = {
  ...oneWalletRate,
  target: `${oneWalletRate.target}, p99 under ${P99_MS} ms`,
  judge(results) {
    const finding = oneWalletRate.judge(results);
    const p99 = medianOf(results.get('one-wallet') ?? [], 'p99Ms');
    const ok = p99 >= P99_MS ? false : finding.ok;
    return { ...finding, ok, measured: `${finding.measured}, p99 ${millisecondsText(p99)}` };
  },
};

const OF_PGBENCH_TIME = 0.4;

/** What an operation takes of all processors: the service, the database and who asks. */
const togetherOf = ({ serviceCpuUs = 0, databaseCpuUs = 0, generatorCpuUs = 0 }: Run) =>
  serviceCpuUs + databaseCpuUs + generatorCpuUs;

/** Against the run of pgbench that took least, as the rate is against its fastest. */
const oneWalletCost: Claim = {
  name: 'one-wallet-cost',
  sentence: 'the same, processor time of service, database and generator',
  target: `at most ${OF_PGBENCH_TIME} x TPC-B`,
  loads: ['one-wallet'],
  comparesWithPgbench: true,
  judge(results) {
    const own = median((results.get('one-wallet') ?? []).map(togetherOf));
    const others = [...results].filter(([name]) => name.startsWith('pgbench')).flatMap(([, runs]) => runs);
    const least = Math.min(...others.map(togetherOf));
    const ratio = own / least;
    const text = (us: number) => (Number.isFinite(us) ? `${Math.round(us)} µs` : 'not known');
    return {
      measured: text(own),
      against: text(least),
      ratio: Number.isFinite(ratio) ? ratio : undefined,
      ok: Number.isFinite(ratio) ? ratio <= OF_PGBENCH_TIME : undefined,
    };
  },
};

const memory: Claim = {
  name: 'memory',
  sentence: 'resident memory of the service under the first load',
  target: `at most ${MEMORY_MB} MB`,
  loads: ['one-wallet'],
  comparesWithPgbench: false,
  judge(results) {
    const mostOf = (name: string) => Math.max(...(results.get(name) ?? []).map((run) => run.residentMb ?? Number.NaN));
    const first = mostOf('first-load');
    const ok = Number.isFinite(first) ? first <= MEMORY_MB : undefined;
    return {
      measured:
        ok === undefined
          ? 'not known'
          : `${Math.round(first)} MB, ${Math.round(mostOf('one-wallet'))} MB in the rounds`,
      against: '',
      ratio: undefined,
      ok,
    };
  },
};

const quiet: Claim = {
  name: 'quiet',
  sentence: 'one debit at a time into a quiet wallet',
  target: `within ${QUIET_TIMES} x a single commit`,
  loads: ['quiet'],
  comparesWithPgbench: false,
  judge(results) {
    const debit = medianOf(results.get('quiet') ?? [], 'p50Ms');
    const commit = medianOf(results.get('commit') ?? [], 'p50Ms');
    const ratio = debit / commit;
    return { measured: millisecondsText(debit), against: millisecondsText(commit), ratio, ok: ratio <= QUIET_TIMES };
  },
};

/** Processor time of the service and the database, since the machine has no more to give than that. */
const processes: Claim = {
  name: 'processes',
  sentence: 'debits on one wallet by two processes: processor time of service and database, against one',
  target: 'at most 1 x of it',
  loads: ['processes'],
  comparesWithPgbench: false,
  judge(results) {
    const timeOf = (name: string) => {
      const runs = (results.get(name) ?? []).map((run) => ({
        rate: run.rate,
        serviceCpuUs: (run.serviceCpuUs ?? Number.NaN) + (run.databaseCpuUs ?? Number.NaN),
      }));
      return medianOf(runs, 'serviceCpuUs');
    };
    const [two, one] = [timeOf('two-processes'), timeOf('one-process')];
    const text = (us: number) => (Number.isFinite(us) ? `${Math.round(us)} µs` : 'not known');
    const ok = Number.isFinite(two / one) ? two <= one : undefined;
    return { measured: text(two), against: text(one), ratio: two / one, ok };
  },
};

const STORM_TIMES = 2;

/** What a neighbour waits while others give their PIN for the first time, to what it waits alone. */
function besideStorm(name: string, storm: string, sentence: string): Claim {
  return {
    name,
    sentence,
    target: `p99 at most ${STORM_TIMES} x alone`,
    loads: ['pin-storm'],
    comparesWithPgbench: false,
    judge(results) {
      const p99 = medianOf(results.get(name) ?? [], 'p99Ms');
      const alone = medianOf(results.get('neighbour-alone') ?? [], 'p99Ms');
      const measured = `${millisecondsText(p99)} beside ${rateText(rateOf(results, storm))}`;
      return { measured, against: millisecondsText(alone), ratio: p99 / alone, ok: p99 / alone <= STORM_TIMES };
    },
  };
}

const BESIDE_REFUSED_MS = 50;

/** What a neighbour waits while somebody sends bodies that are refused, to what it waits alone. */
function besideRefused(name: string, attack: string, sentence: string): Claim {
  return {
    name,
    sentence,
    target: `p99 at most ${BESIDE_REFUSED_MS} ms more than alone`,
    loads: ['refused-bodies'],
    comparesWithPgbench: false,
    judge(results) {
      const figure = (run: string, of: 'p50Ms' | 'p99Ms' | 'serviceCpuUs') => medianOf(results.get(run) ?? [], of);
      const both = (run: string) =>
        `p50 ${millisecondsText(figure(run, 'p50Ms'))}, p99 ${millisecondsText(figure(run, 'p99Ms'))}`;
      const cost = millisecondsText(figure(attack, 'serviceCpuUs') / 1_000);
      const [p99, alone] = [figure(name, 'p99Ms'), figure('ordinary-alone', 'p99Ms')];
      return {
        measured: `${both(name)} beside ${rateText(rateOf(results, attack))} at ${cost} of processor`,
        against: both('ordinary-alone'),
        ratio: p99 / alone,
        ok: p99 - alone <= BESIDE_REFUSED_MS,
      };
    },
  };
}

const SEARCH_MS = 100;

/** One search at a time, against reading one wallet: what a request costs that needs no search. */
function searched(name: string, by: string): Claim {
  return {
    name,
    sentence: `a search ${by} among 1,000,000 payouts of one merchant`,
    target: `p99 under ${SEARCH_MS} ms`,
    loads: ['search'],
    comparesWithPgbench: false,
    judge(results) {
      const figure = (run: string, of: 'p50Ms' | 'p99Ms') => medianOf(results.get(run) ?? [], of);
      const [p50, p99, wallet] = [figure(name, 'p50Ms'), figure(name, 'p99Ms'), figure('search-wallet', 'p50Ms')];
      return {
        measured: `p50 ${millisecondsText(p50)}, p99 ${millisecondsText(p99)}`,
        against: `${millisecondsText(wallet)} a wallet`,
        ratio: p50 / wallet,
        ok: Number.isFinite(p99) ? p99 < SEARCH_MS : undefined,
      };
    },
  };
}

export const CLAIMS: readonly Claim[] = [
  oneWallet,
  oneWalletCost,
  timesLoad('row-lock', 'the same, against a row lock a request', ['one-wallet', 'row-lock', 'row locks'], 10),
  processes,
  timesPgbench('spread', 'store debits over HTTP spread over 1,000 merchants', 1.5),
  besideStorm('pin-storm', 'first-pins', "one merchant's debits while 1,000 others give their PIN for the first time"),
  besideStorm('old-pin-storm', 'old-first-pins', 'the same where those PINs are stored as before the upgrade'),
  besideRefused(
    'refused-bodies',
    'open-attack',
    "a merchant's ordinary requests while four connections send 1 MB that is refused, to sign in or up",
  ),
  besideRefused('refused-lists', 'list-attack', 'the same where another merchant sends it as a bulk payout'),
  timesPgbench('ledger-full', 'full movements straight into the ledger, groups of 1,000', 5),
  timesPgbench('ledger-bare', 'bare transfers straight into the ledger, groups of 1,000', 25),
  timesLoad('read', 'GET /wallet/merchant', ['read', 'empty-route', 'an empty route'], 0.75),
  timesLoad(
    'growth',
    'store debits with 10 million transfers in the table',
    ['grown-table', 'empty-table', 'an empty table'],
    0.95,
  ),
  memory,
  quiet,
  within('batch-upload', 'a spreadsheet of 100,000 rows, from upload to validated', 'batch', {
    seconds: 30,
    residentMb: 300,
    p99Ms: 150,
  }),
  within('batch-dispatch', 'dispatch of that batch, its total held exactly', 'batch', { seconds: 2 }),
  within('batch-conclude', 'from there to all payouts concluded, one process, a rail without delay', 'batch', {
    seconds: 35,
  }),
  slowRail,
  within(
    'payday',
    'a scheduled payout of each of 1,000 merchants, all due in one second, to the end of the last',
    'payday',
    {
      seconds: 5,
    },
  ),
  payouts,
  webhooks,
  unordered,
  credits,
  timesLoad(
    'open-session',
    'payment sessions opened over HTTP in the sandbox',
    ['open-session', 'debits-beside-sessions', 'the store debits of the run'],
    0.5,
  ),
  creditPoll,
  creditCopies,
  searched('search-payee', 'by a payee'),
  searched('search-first-name', 'by a first name that every sixteenth has'),
  searched('search-reference', 'by the end of a reference'),
  searched('search-amount', 'by an amount'),
  pgledger,
];
