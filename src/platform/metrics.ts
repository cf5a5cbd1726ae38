import type pg from 'pg';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { OnAlarm } from './alarm.ts';
import type { ReplicaReads } from './db/replica.ts';
import type { JobMonitor } from './jobs/job-monitor.ts';
import type { Member } from './processes/member.ts';

export interface Metrics {
  readonly contentType: string;
  /** The text for Prometheus, of all processes that run this command where there are several. */
  read(): Promise<string>;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  observeGroup(movements: number): void;
  /** Counts a connection that this process gave to another one. */
  countMovedConnection(): void;
  /** Counts what must never happen and did. */
  countAlarm: OnAlarm;
  /** `mode` is empty where a job has none. */
  countJobFailure(job: string, mode: string): void;
  /** Reads the state of each rail whenever the metrics are read. */
  watchRails(railHealth: () => readonly RailHealth[]): void;
  /** The same for what jobs leave alone after failures, and for how long jobs have been running. */
  watchJobs(jobs: Pick<JobMonitor, 'backingOff' | 'running'>): void;
  /** The same for which server answered reads that a replica may answer. */
  watchReplica(reads: Readonly<ReplicaReads>): void;
}

interface RailHealth {
  name: string;
  mode: string;
  circuit: string;
  opens: boolean;
}

let ofProcess: Registry | undefined;

/** Memory, processor time, garbage and files of this process: collected once for all readers, until it ends. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/**
 * Prometheus metrics of one process. Labels are routes and statuses only, so their number is bounded. With several
 * processes each labels its own with its number, and any of them returns those of all: a counter begins anew with its
 * process, which a sum over processes would not show.
 */
export function createMetrics(pool: pg.Pool, member?: Member): Metrics {
  const registry = new Registry();
  const registries = [processMetrics(), registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const groups = new Histogram({
    name: 'ledger_group_movements',
    help: 'Movements that committed in one database transaction.',
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000],
    registers: [registry],
  });
  const moved = new Counter({
    name: 'connections_moved_total',
    help: 'Connections that this process gave to another one of its group.',
    registers: [registry],
  });
  const alarms = new Counter({
    name: 'money_alarms_total',
    help: 'Facts about money that contradicted each other. Nothing moved by them; people have to look.',
    labelNames: ['alarm', 'mode', 'rail'],
    registers: [registry],
  });
  const jobFailures = new Counter({
    name: 'job_failures_total',
    help: 'Tenants, rows and runs that a job of this process failed at.',
    labelNames: ['job', 'mode'],
    registers: [registry],
  });
  new Gauge({
    name: 'database_connections',
    help: 'Connections of this process to the database.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waited_for' }, pool.waitingCount);
    },
  });
  // Finding a labelled series costs more than counting in it; there are as many as routes and statuses.
  const series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  return {
    contentType: registry.contentType,
    read: member === undefined ? () => Registry.merge(registries).metrics() : readAll(registries, member),
    observeRequest(method, route, status, seconds) {
      const name = `${method} ${route} ${status}`;
      let found = series.get(name);
      if (found === undefined) {
        found = requests.labels(method, route, String(status));
        series.set(name, found);
      }
      found.observe(seconds);
    },
    observeGroup: (movements) => groups.observe(movements),
    countMovedConnection: () => moved.inc(),
    countAlarm: ({ alarm, mode, rail = '' }) => alarms.inc({ alarm, mode, rail }),
    countJobFailure: (job, mode) => jobFailures.inc({ job, mode }),
    ...watchesOf(registry),
  };
}

/** What is read whenever the metrics are read. */
function watchesOf(registry: Registry): Pick<Metrics, 'watchRails' | 'watchJobs' | 'watchReplica'> {
  return {
    watchRails(railHealth) {
      const watch = (name: string, help: string, isGood: (health: RailHealth) => boolean) =>
        new Gauge({
          name,
          help,
          labelNames: ['rail', 'mode'],
          registers: [registry],
          collect() {
            // A rail that was switched off is not shown any more.
            this.reset();
            for (const each of railHealth()) this.set({ rail: each.name, mode: each.mode }, isGood(each) ? 1 : 0);
          },
        });
      const answers = '1 while this process calls the rail, 0 while it waits because the rail did not answer.';
      watch('rail_circuit_closed', answers, ({ circuit }) => circuit === 'closed');
      const opens = '1 where the account of the rail opens in this process, 0 where its credentials do not.';
      watch('rail_account_opens', opens, (health) => health.opens);
    },
    watchJobs(jobs) {
      new Gauge({
        name: 'job_backing_off',
        help: 'Tenants, rows and runs that a job of this process leaves alone for a while because they failed.',
        labelNames: ['job', 'mode'],
        registers: [registry],
        collect() {
          this.reset();
          for (const { job, mode, count } of jobs.backingOff()) this.set({ job, mode }, count);
        },
      });
      new Gauge({
        name: 'job_running_seconds',
        help: 'For how long a scheduled job of this process has been running, where a run of it is under way.',
        labelNames: ['job', 'mode'],
        registers: [registry],
        collect() {
          this.reset();
          for (const { job, mode, seconds } of jobs.running()) this.set({ job, mode }, seconds);
        },
      });
    },
    watchReplica(reads) {
      new Counter({
        name: 'replica_reads_total',
        help: 'Reads that a replica may answer, by who did: the replica, or the primary because the replica was behind or away.',
        labelNames: ['answered'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [answered, count] of Object.entries(reads)) this.inc({ answered }, count);
        },
      });
    },
  };
}

/** The metrics of all processes, each with its number. */
function readAll(registries: readonly Registry[], member: Member): () => Promise<string> {
  for (const each of registries) each.setDefaultLabels({ process: String(member.assignment.number) });
  member.measureBy(async () => (await Promise.all(registries.map((each) => each.getMetricsAsJSON()))).flat());
  return async () => {
    const each = await member.readAllMetrics();
    // No two values have the same labels: nothing is added up, and nothing is left out.
    const apart = each.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'sum' as const })));
    return AggregatorRegistry.aggregate(apart).metrics();
  };
}
