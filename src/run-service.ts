import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Config } from './config.ts';
import { banner } from './demo/index.ts';
import { joinGroup, SUPERVISED_SIGNALS } from './platform/processes/member.ts';
import { openRuntime } from './runtime.ts';
import { createService } from './service.ts';
import {
  configOfMember,
  DRAIN_MS,
  findPort,
  type Parts,
  reportStart,
  reportStop,
  shutdownDelayMs,
  stopWithNpm,
} from './service-process.ts';

/** Runs until a signal, or until its supervisor has it stop. Any number of these processes share one database. */
export async function runService(given: Config, parts: Parts): Promise<undefined> {
  const member = await joinGroup();
  const config = member === undefined ? given : configOfMember(given, member.assignment);
  const allInOne = parts.api && parts.workers;
  // Before there is a database, or it is changed for a process that can serve nobody.
  if (member === undefined) await findPort(config, parts);
  const runtime = await openRuntime(config, { beside: allInOne ? undefined : 'SERVICE', member });
  const service = createService(config, runtime, { ...parts, prepares: member?.assignment.prepares ?? allInOne });
  const close = async () => {
    await service.close();
    await runtime.close();
  };
  const delayMs = shutdownDelayMs(config, parts);
  const stop = async (signal: string | undefined) => {
    if (signal !== 'SIGINT') {
      service.announceStop();
      await sleep(delayMs);
    }
    await close();
  };
  let isStopping = false;
  let ordered: { signal: string | undefined } | undefined;
  // Signals to a process of a group are its supervisor's.
  const skip = member === undefined ? [] : [...SUPERVISED_SIGNALS];
  const graceful = closeWithGrace({ delay: DRAIN_MS + delayMs, skip }, async ({ err, signal }) => {
    isStopping = true;
    // Those of a group are stopped by their supervisor, which says so once.
    if (err === undefined && ordered !== undefined) return stop(ordered.signal);
    if (err === undefined) return reportStop(runtime.logger, signal, () => stop(signal));
    runtime.logger.fatal({ err }, 'stopping after a defect');
    return close();
  });
  if (member === undefined) stopWithNpm(() => graceful.close());
  member?.onStop((signal) => {
    ordered = { signal };
    graceful.close();
  });
  try {
    const { baseUrl, demo } = await service.start();
    const isTerminal = process.stdout.isTTY === true;
    const screen =
      allInOne && baseUrl !== undefined ? banner({ baseUrl, dataDir: config.dataDir, isTerminal }, demo) : undefined;
    if (member !== undefined) member.ready({ baseUrl, screen });
    else if (screen !== undefined) console.log(screen);
    else reportStart(runtime.logger, parts, baseUrl);
  } catch (error) {
    // A start that is stopped fails for want of what was closed.
    if (isStopping) return;
    await close();
    throw error;
  }
}
