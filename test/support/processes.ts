import type { ServiceProcess } from './service.ts';
import { childrenOf } from './service.ts';

/** The processes that serve, by their id: what the supervisor has started. */
export function processesOf(service: ServiceProcess): number[] {
  return childrenOf(service.child.pid as number);
}

/** What each process says of one metric, summed over its other labels, by the number of the process. */
export async function metricByProcess(
  baseUrl: string,
  name: string,
  labels: RegExp = /./,
): Promise<Map<string, number>> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const sums = new Map<string, number>();
  for (const [, of = '', value] of text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))) {
    const number = /process="(\d+)"/.exec(of)?.[1] ?? 'none';
    if (labels.test(of)) sums.set(number, (sums.get(number) ?? 0) + Number(value));
  }
  return sums;
}
