import { setTimeout as sleep } from 'node:timers/promises';
import { endedChildrenCpu, processCpu } from './cpu.ts';
import { runHttpLoad, type Target } from './http-load.ts';
import { measureCpu, type Run } from './run.ts';
import type { Payer } from './seed.ts';
import { startSideTraffic } from './side-traffic.ts';
import type { Home } from './stage.ts';

/** Connections of one attacker, each with the next request as soon as the last one is answered. */
const CONNECTIONS = 4;
const BODY_BYTES = 1_000_000;

/** Operations that ask for no key: whoever finds the address can call them. */
const OPEN_PATHS = ['/session', '/sign-up', '/password/forgot', '/invitation/accept'];

/** An object of as many fields as there is room for, none of which any operation knows. */
function unknownFields(bytes: number): string {
  const fields: string[] = [];
  let length = 2;
  for (let at = 0; length < bytes - 12; at += 1) {
    const field = `"${at.toString(36)}":1`;
    fields.push(field);
    length += field.length + 1;
  }
  return `{${fields.join(',')}}`;
}

const BODY = unknownFields(BODY_BYTES);

/** By anybody, of operations that read 16 KiB: refused by their length. */
export const openTargets: readonly Target[] = OPEN_PATHS.map((path) => ({ method: 'POST', path, body: BODY }));

/** By a merchant, of the operation that reads as much as that and more: refused by what is in them. */
export const listTargets = ({ key }: Payer): Target[] => [{ method: 'POST', path: '/payout/bulk', key, body: BODY }];

export interface BesideRefused {
  neighbour: Run;
  attack: Run;
  /** Debits of the neighbour. */
  debits: number;
}

/** A neighbour's ordinary requests, with what each takes of the service's processor. */
export async function runAlone({ service }: Home, neighbour: Payer, seconds: number) {
  const { result, cpu } = await measureCpu(
    { serviceCpuUs: () => processCpu(service.pid) },
    () => besideTraffic(service.baseUrl, neighbour, () => sleep(seconds * 1_000)),
    ({ requests }) => requests,
  );
  return { neighbour: { ...result.run, ...cpu }, debits: result.debits };
}

/**
 * The same beside four connections that send bodies which are refused.
 * @param alone what the neighbour had alone: its own share of the processor is no part of the attack's.
 * @throws Error when a request of the neighbour is refused, or one of the attack is taken.
 */
export async function runBesideRefused(
  { service }: Home,
  neighbour: Payer,
  { targetsFile, seconds, alone }: { targetsFile: string; seconds: number; alone: Run },
): Promise<BesideRefused> {
  const { baseUrl, pid } = service;
  const counters = { serviceCpuUs: () => processCpu(pid), generatorCpuUs: endedChildrenCpu };
  const { result, cpu } = await measureCpu(
    counters,
    () =>
      besideTraffic(baseUrl, neighbour, () => runHttpLoad({ baseUrl, connections: CONNECTIONS, targetsFile, seconds })),
    ({ sent }) => sent.answered,
  );
  const { sent, requests, run, debits } = result;
  if (sent.answered > sent.refused) throw new Error(`${sent.answered - sent.refused} of the attack were taken`);
  const { p50Ms, p99Ms } = sent;
  const ofNeighbour = (requests * (alone.serviceCpuUs ?? 0)) / sent.answered;
  const attack = { rate: sent.answered / sent.seconds, p50Ms, p99Ms, ...cpu };
  return { neighbour: run, attack: { ...attack, serviceCpuUs: (cpu.serviceCpuUs ?? 0) - ofNeighbour }, debits };
}

async function besideTraffic<T>(baseUrl: string, neighbour: Payer, work: () => Promise<T>) {
  const side = startSideTraffic(baseUrl, neighbour);
  const begun = performance.now();
  const sent = await work();
  const seconds = (performance.now() - begun) / 1_000;
  const { requests, ...figures } = side.take();
  const run: Run = { rate: requests / seconds, ...figures };
  return { sent, requests, run, debits: await side.stop() };
}
