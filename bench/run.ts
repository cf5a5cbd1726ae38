/** What one measured run of a load gave. */
export interface Run {
  /** Operations a second. */
  rate: number;
  /** Of the whole, where it was done once. */
  seconds?: number;
  p50Ms?: number;
  p99Ms?: number;
  /** Processor time an operation, in microseconds: robust where the machine has other guests. */
  serviceCpuUs?: number;
  databaseCpuUs?: number;
  /** What it cost to make the load, on the same machine. */
  generatorCpuUs?: number;
  /** Largest resident memory of the service during the run. */
  residentMb?: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
}

/** The median of one figure over the runs that have it; NaN when none has. */
export function medianOf(runs: readonly Run[], figure: keyof Run): number {
  return median(runs.map((run) => run[figure]).filter((value) => value !== undefined));
}

/** Counters of processor seconds, by the figure that they end in. */
export type CpuCounters = Partial<Record<'serviceCpuUs' | 'databaseCpuUs' | 'generatorCpuUs', () => number>>;

/** Runs work and gives what each counter gained for one of its operations. */
export async function measureCpu<T>(
  counters: CpuCounters,
  work: () => Promise<T>,
  operationsOf: (result: T) => number,
): Promise<{ result: T; cpu: Partial<Record<keyof CpuCounters, number>> }> {
  const before = Object.values(counters).map((count) => count());
  const result = await work();
  const gained = Object.entries(counters).map(([figure, count], at) => {
    const seconds = count() - (before[at] ?? Number.NaN);
    return [figure, (seconds / operationsOf(result)) * 1e6];
  });
  return { result, cpu: Object.fromEntries(gained) as Partial<Record<keyof CpuCounters, number>> };
}
