import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The assignment of a process of a group; the supervisor sends it once, before anything else. */
export interface Assignment {
  /** From 1. A process that ends is replaced by another with its number. */
  number: number;
  of: number;
  /** It prepares what all need, before the others are started. */
  prepares: boolean;
  /** Where it listens; undefined where it listens nowhere. */
  port: number | undefined;
  /** The database that the supervisor runs; undefined where the settings name one. */
  connectionString: string | undefined;
  /** The folder of the sockets between the processes; undefined where there is none. */
  peersFolder: string | undefined;
}

export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/**
 * A connection as another process can take it over: Node's own handle, sent with a message. What has arrived and was not
 * read is in it.
 */
export interface ConnectionHandle {
  /** @returns 0 where nothing is read from it any more. */
  readStop(): number;
  close(): void;
}

export type FromSupervisor =
  | { type: 'begin'; assignment: Assignment }
  /** From now on no connection is given away. */
  | { type: 'stay' }
  | { type: 'stop'; signal: NodeJS.Signals | undefined }
  | { type: 'measure'; id: number }
  | { type: 'metrics'; id: number; each: ProcessMetrics[] }
  /** With a handle: another process gave it up for this one. */
  | { type: 'connection' };

export type ToSupervisor =
  /** `screen` is what a start shows to people, once all are ready. */
  | { type: 'ready'; baseUrl: string | undefined; screen: string | undefined }
  | { type: 'metrics-wanted'; id: number }
  | { type: 'measured'; id: number; metrics: ProcessMetrics }
  /** Behind the last connection that it gave. */
  | { type: 'stays' }
  /** With a handle, for the process of this number. */
  | { type: 'connection'; to: number };
