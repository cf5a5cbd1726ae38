import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time for /proc in hundredths of a second on every Linux. */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Its own time, in seconds, user and system. */
  own: number;
  /** The time of its children that have ended. */
  reaped: number;
}

function readStat(pid: number | string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the command in parentheses and may hold anything; the rest are numbers.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (at: number) => Number(fields[at]) / TICKS_PER_SECOND;
  return { parent: Number(fields[1]), own: ticks(11) + ticks(12), reaped: ticks(13) + ticks(14) };
}

/** Processor seconds that a process has used; NaN where the system does not tell. */
export function processCpu(pid: number): number {
  return readStat(pid)?.own ?? Number.NaN;
}

/** The same of a process and those that it runs: a service in several processes, with its supervisor. */
export function groupCpu(pid: number): number {
  return processesOf(pid).reduce((sum, each) => sum + processCpu(each), 0);
}

function processesOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return [pid, ...children.filter(Boolean).map(Number)];
  } catch {
    return [pid];
  }
}

/** Processor seconds of all children of this process that have ended: of a load generator, before and after it ran. */
export function endedChildrenCpu(): number {
  return readStat('self')?.reaped ?? Number.NaN;
}

/** Processor seconds of a server and all its backends, also those that have ended. */
export function serverCpu(postmaster: number): number {
  const root = readStat(postmaster);
  if (root === undefined) return Number.NaN;
  const backends = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(name))
    .filter((stat) => stat?.parent === postmaster);
  return backends.reduce((sum, stat) => sum + (stat?.own ?? 0), root.own + root.reaped);
}

/** Resident memory of a process in megabytes; NaN where the system does not tell. */
export function residentMb(pid: number): number {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
