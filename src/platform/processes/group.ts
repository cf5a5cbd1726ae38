import type { SendHandle } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Assignment, ConnectionHandle, FromSupervisor, ProcessMetrics, ToSupervisor } from './messages.ts';

/** What the processes reported when they were ready. */
export interface GroupStarted {
  baseUrl: string | undefined;
  screen: string | undefined;
}

/** Processes of one command that the supervisor starts, replaces and ends. */
export interface ProcessGroup {
  /** Resolves when all are ready. @throws ProcessEndedError when one ends before that; stop the others then. */
  start(): Promise<GroupStarted>;
  /** Has all of them stop as they would at the signal, and resolves when they have ended. */
  stop(signal: NodeJS.Signals | undefined): Promise<void>;
  /** Ends those that did not stop in time. */
  kill(): void;
}

/** The process has logged why. */
export class ProcessEndedError extends Error {
  constructor(number: number) {
    super(`process ${number} ended before it was ready`);
    this.name = 'ProcessEndedError';
  }
}

/**
 * A process that lived for so long is replaced at once; otherwise after a pause that doubles with each time in a row.
 */
const STEADY_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that does not report its metrics within this time is left out: it hangs, or is starting. */
const MEASURE_MS = 1_000;

interface GroupOptions {
  count: number;
  /** The assignment of each process, without its number. */
  assignment: Omit<Assignment, 'number' | 'of' | 'prepares'>;
  /** The first one prepares what all need: the others are started when it is ready. */
  oneFirst: boolean;
  logger: Logger;
}

interface Slot {
  number: number;
  worker: Worker | undefined;
  startedAt: number;
  /** How often in a row it ended soon. */
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

export function createProcessGroup({ count, assignment, oneFirst, logger }: GroupOptions): ProcessGroup {
  cluster.setupPrimary({ serialization: 'advanced' });
  const slots = Array.from({ length: count }, (_, at): Slot => {
    return { number: at + 1, worker: undefined, startedAt: 0, failures: 0, timer: undefined };
  });
  const gather = gatherMetrics(() => slots.flatMap(({ worker }) => (worker?.isConnected() ? [worker] : [])));
  const pass = passConnections();
  let isStarted = false;
  let stopping = false;

  function launch(slot: Slot): Promise<GroupStarted> {
    const worker = cluster.fork();
    slot.worker = worker;
    slot.startedAt = performance.now();
    const prepares = oneFirst && slot.number === 1 && !isStarted;
    send(worker, { type: 'begin', assignment: { ...assignment, number: slot.number, of: count, prepares } });
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ToSupervisor, handle?: ConnectionHandle) => {
        if (message.type === 'connection' && handle !== undefined) {
          pass.on(handle, slots[message.to - 1]?.worker ?? worker);
        }
        if (message.type === 'ready') resolve(message);
        if (message.type === 'metrics-wanted') gather.askedBy(worker, message.id);
        if (message.type === 'measured') gather.measured(worker, message.id, message.metrics);
      });
      worker.once('exit', (code, signal) => {
        slot.worker = undefined;
        pass.gone(worker);
        reject(new ProcessEndedError(slot.number));
        if (isStarted && !stopping) replace(slot, { code, signal });
      });
    });
  }

  function replace(slot: Slot, end: { code: number | null; signal: string | null }): void {
    const steady = performance.now() - slot.startedAt >= STEADY_MS;
    slot.failures = steady ? 0 : slot.failures + 1;
    const pauseMs = slot.failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (slot.failures - 1), LONGEST_PAUSE_MS);
    logger.error({ number: slot.number, ...end, pauseMs }, 'a process of the service ended; another one is started');
    slot.timer = setTimeout(() => {
      launch(slot).then(
        () => logger.warn({ number: slot.number }, 'a process of the service was replaced'),
        () => undefined,
      );
    }, pauseMs);
  }

  return {
    async start() {
      const [first, ...others] = slots as [Slot, ...Slot[]];
      const started = launch(first);
      if (oneFirst) await started;
      await Promise.all([started, ...others.map(launch)]);
      isStarted = true;
      return started;
    },
    async stop(signal) {
      stopping = true;
      await untilAllStay(slots.flatMap(({ worker }) => (worker?.isConnected() ? [worker] : [])));
      const ends = slots.map(async ({ worker, timer }) => {
        clearTimeout(timer);
        if (worker === undefined) return;
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        send(worker, { type: 'stop', signal });
        await ended;
      });
      await Promise.all(ends);
    },
    kill() {
      for (const { worker } of slots) worker?.process.kill('SIGKILL');
    },
  };
}

/** A process that is ending takes no message; its end is reported otherwise. */
function send(worker: Worker, message: FromSupervisor): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** A process that hangs, or has ended, gives nothing away either. */
const STAY_MS = 1_000;

/**
 * Has processes give no connection away, so that each connection is with one of them when they stop: messages come in
 * the order in which they were sent, those with connections too.
 */
async function untilAllStay(workers: readonly Worker[]): Promise<void> {
  const stay = workers.map(async (worker) => {
    const stays = new Promise<void>((resolve) => {
      worker.on('message', (message: ToSupervisor) => {
        if (message.type === 'stays') resolve();
      });
      worker.once('exit', () => resolve());
    });
    send(worker, { type: 'stay' });
    await stays;
  });
  await Promise.race([Promise.all(stay), sleep(STAY_MS, undefined, { ref: false })]);
}

/** Hands connections from one process to another. Nothing is read from them here. */
function passConnections() {
  const underWay = new Map<Worker, Set<ConnectionHandle>>();
  return {
    on(handle: ConnectionHandle, to: Worker): void {
      const own = underWay.get(to) ?? new Set();
      underWay.set(to, own.add(handle));
      const end = () => {
        if (own.delete(handle)) handle.close();
      };
      if (to.isConnected()) to.send({ type: 'connection' }, handle as unknown as SendHandle, end);
      else end();
    },
    /** What it has not taken ends: no client waits for an answer that does not come. */
    gone(worker: Worker): void {
      const own = underWay.get(worker);
      for (const handle of own ?? []) handle.close();
      own?.clear();
      underWay.delete(worker);
    },
  };
}

/** Collects the metrics of all processes, for the one that was asked for them. */
function gatherMetrics(workers: () => Worker[]) {
  interface Round {
    waiting: Set<Worker>;
    each: ProcessMetrics[];
    end(): void;
  }
  const rounds = new Map<number, Round>();
  let last = 0;
  return {
    askedBy(asker: Worker, askedAs: number): void {
      last += 1;
      const id = last;
      const waiting = new Set(workers());
      const each: ProcessMetrics[] = [];
      const end = () => {
        clearTimeout(timer);
        if (rounds.delete(id)) send(asker, { type: 'metrics', id: askedAs, each });
      };
      const timer = setTimeout(end, MEASURE_MS);
      rounds.set(id, { waiting, each, end });
      for (const worker of waiting) send(worker, { type: 'measure', id });
    },
    measured(worker: Worker, id: number, metrics: ProcessMetrics): void {
      const round = rounds.get(id);
      if (round === undefined) return;
      round.each.push(metrics);
      round.waiting.delete(worker);
      if (round.waiting.size === 0) round.end();
    },
  };
}
