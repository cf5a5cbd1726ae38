import type { SendHandle } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from '../logger.ts';
import { BUSY, type CoreTime, watchCoreTime } from './core-time.ts';
import type { Assignment, ConnectionHandle, FromSupervisor, ProcessMetrics, ToSupervisor } from './messages.ts';
import { connectPeers, type Peers } from './peers.ts';

/** This process as one of a group. */
export interface Member {
  readonly assignment: Assignment;
  readonly coreTime: CoreTime;
  /** Connects to the others; undefined where they cannot be reached. */
  connect(logger: Logger): Peers | undefined;
  /** The metrics of all processes that answer, this one among them. */
  readAllMetrics(): Promise<ProcessMetrics[]>;
  /** How the supervisor reads the metrics of this process. */
  measureBy(own: () => Promise<ProcessMetrics>): void;
  /** Gives a connection to the process of this number; it is no more of this one. */
  giveConnection(to: number, handle: ConnectionHandle): void;
  /** Whether this process may give connections away: not from the beginning of a stop on. */
  mayGive(): boolean;
  /** How connections are served that others give to this process, for as long as it does. Those that came before wait for it. */
  takeConnections(how: Taking): void;
  ready(what: { baseUrl: string | undefined; screen: string | undefined }): void;
  /** Called once, when the supervisor has this process stop, or has ended. */
  onStop(stop: (signal: NodeJS.Signals | undefined) => void): void;
}

export interface Taking {
  serve(handle: ConnectionHandle): void;
  isServing(): boolean;
}

/** The supervisor handles these signals: a terminal and a service manager may send them to all processes. */
export const SUPERVISED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

const SUPERVISOR_CHECK_MS = 250;

/** Waits for the assignment by the supervisor of this process; undefined where it has none. */
export async function joinGroup(): Promise<Member | undefined> {
  if (!cluster.isWorker) return undefined;
  for (const signal of SUPERVISED_SIGNALS) process.on(signal, () => undefined);
  // Node would end a process whose supervisor has ended in the middle of its work: it stops in order instead.
  process.prependListener('disconnect', () => {
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  });
  const first = once(process, 'message');
  const { takesConnections, ...orders } = readOrders();
  const [message] = (await first) as [FromSupervisor];
  if (message.type !== 'begin') throw new Error(`a process of a group began with ${message.type}`);
  const { assignment } = message;
  const { number, of, peersFolder: folder } = assignment;
  const coreTime = watchCoreTime();
  const load = () => (takesConnections() ? coreTime.now() : BUSY);
  return {
    ...orders,
    assignment,
    coreTime,
    connect: (logger) => (folder === undefined ? undefined : connectPeers({ folder, number, of, load, logger })),
    giveConnection,
    ready: (what) => report({ type: 'ready', ...what }),
  };
}

interface Orders extends Pick<Member, 'readAllMetrics' | 'measureBy' | 'onStop' | 'mayGive' | 'takeConnections'> {
  takesConnections(): boolean;
}

/** What the supervisor asks for, from the first message on: a stop may come before a handler is set. */
function readOrders(): Orders {
  const asked = new Map<number, (each: ProcessMetrics[]) => void>();
  let last = 0;
  let measure: (() => Promise<ProcessMetrics>) | undefined;
  let stopped: { signal: NodeJS.Signals | undefined } | undefined;
  let stop: ((signal: NodeJS.Signals | undefined) => void) | undefined;

  function stopBy(signal: NodeJS.Signals | undefined): void {
    if (stopped !== undefined) return;
    stopped = { signal };
    stop?.(signal);
  }

  const waiting: ConnectionHandle[] = [];
  let taking: Taking | undefined;
  let stays = false;

  process.on('message', (message: FromSupervisor, handle: unknown) => {
    if (message.type === 'stop') stopBy(message.signal);
    if (message.type === 'stay') {
      stays = true;
      report({ type: 'stays' });
    }
    if (message.type === 'connection' && taking !== undefined) taking.serve(handle as ConnectionHandle);
    else if (message.type === 'connection') waiting.push(handle as ConnectionHandle);
    if (message.type === 'metrics') {
      asked.get(message.id)?.(message.each);
      asked.delete(message.id);
    }
    if (message.type === 'measure')
      measure?.().then(
        (metrics) => report({ type: 'measured', id: message.id, metrics }),
        // Like a process that hangs: it is left out of the metrics of all, and that is all.
        () => undefined,
      );
  });
  process.once('disconnect', () => stopBy('SIGTERM'));
  // That event waits for the answer to a connection that was given, and from one who has ended none comes.
  const watch = setInterval(() => {
    if (!process.connected) stopBy('SIGTERM');
  }, SUPERVISOR_CHECK_MS);
  watch.unref();
  return {
    readAllMetrics() {
      last += 1;
      const id = last;
      return new Promise((resolve) => {
        asked.set(id, resolve);
        report({ type: 'metrics-wanted', id });
      });
    },
    measureBy(own) {
      measure = own;
    },
    takeConnections(how) {
      taking = how;
      for (const handle of waiting.splice(0)) how.serve(handle);
    },
    mayGive: () => !stays && stopped === undefined,
    takesConnections: () => !stays && stopped === undefined && taking?.isServing() === true,
    onStop(how) {
      stop = how;
      if (stopped !== undefined) how(stopped.signal);
    },
  };
}

function giveConnection(to: number, handle: ConnectionHandle): void {
  const message: ToSupervisor = { type: 'connection', to };
  const close = () => handle.close();
  if (process.connected) process.send?.(message, handle as unknown as SendHandle, undefined, close);
  else close();
}

function report(message: ToSupervisor): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
