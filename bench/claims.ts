import { medianOf, type Run } from './run.ts';

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

const P99_MS = 80;
const MEMORY_MB = 250;
const QUIET_TIMES = 3;

const oneWalletRate = timesPgbench('one-wallet', 'store debits over HTTP into one merchant wallet, 256 connections', 2);

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

const memory: Claim = {
  name: 'memory',
  sentence: 'resident memory of the service under the first load',
  target: `at most ${MEMORY_MB} MB`,
  loads: ['one-wallet'],
  comparesWithPgbench: false,
  judge(results) {
    const most = Math.max(...(results.get('one-wallet') ?? []).map((run) => run.residentMb ?? Number.NaN));
    const ok = Number.isFinite(most) ? most <= MEMORY_MB : undefined;
    return {
      measured: Number.isFinite(most) ? `${Math.round(most)} MB` : 'not known',
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

export const CLAIMS: readonly Claim[] = [
  oneWallet,
  timesLoad('row-lock', 'the same, against a row lock a request', ['one-wallet', 'row-lock', 'row locks'], 10),
  timesPgbench('spread', 'store debits over HTTP spread over 1,000 merchants', 1.5),
  timesPgbench('ledger-full', 'full movements straight into the ledger, groups of 1,000', 4),
  timesPgbench('ledger-bare', 'bare transfers straight into the ledger, groups of 1,000', 8),
  timesLoad('read', 'GET /wallet/merchant', ['read', 'empty-route', 'an empty route'], 0.5),
  timesLoad(
    'growth',
    'store debits with 10 million transfers in the table',
    ['grown-table', 'empty-table', 'an empty table'],
    0.9,
  ),
  memory,
  quiet,
];
