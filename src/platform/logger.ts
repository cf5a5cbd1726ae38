import { destination, type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

/**
 * PostgreSQL puts values of rows into these, and the driver hangs the whole connection on `client`, with the values of
 * what was under way: a log says which constraint, never whose data.
 */
const ROW_DATA = ['detail', 'where', 'hint', 'internalQuery', 'client'];

/**
 * JSON lines on stdout. No caller logs bodies or headers, so a PIN, a key or a BVN has no way in.
 * @param number of this process, where several run one command: each line of it says so.
 */
export function createLogger(level: string, number?: number): Logger {
  const base = number === undefined ? null : { process: number };
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: withoutRowData } });
}

const STANDARD_ERROR = 2;

/**
 * Of a command that answers at the terminal: beside its answer, which a file or another program may take, and without the
 * places in the code, which say nothing to whoever runs it.
 */
export function createCommandLogger(level: string): Logger {
  const err = (error: Error) => ({ ...(withoutRowData(error) as object), stack: undefined });
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err } };
  return pino(options, destination({ fd: STANDARD_ERROR, sync: true }));
}

function withoutRowData(error: Error): unknown {
  const serialized: Record<string, unknown> = { ...stdSerializers.err(error) };
  for (const name of ROW_DATA) delete serialized[name];
  return serialized;
}
