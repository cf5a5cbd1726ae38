import { destination, type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

/**
 * PostgreSQL puts values of rows into these, and the driver attaches the whole connection as `client`, with the values
 * of what was under way. A log names a constraint, and never anybody's data.
 */
const ROW_DATA = ['detail', 'where', 'hint', 'internalQuery', 'client'];

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

/** The most lines that wait for a disk: some hundred errors with their stack traces, and no more memory than that. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * JSON lines on stdout. No caller logs bodies or headers, so a PIN, a key or a BVN cannot get into it.
 * @param number of this process, where several run one command: each line has it.
 * @param fd that is written to, for tests.
 */
export function createLogger(level: string, number?: number, fd = STANDARD_OUTPUT): Logger {
  const base = number === undefined ? null : { process: number };
  const options = { level, base, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: withoutRowData } };
  return pino(options, outputTo(fd));
}

/**
 * The logger of a command at the terminal. It writes beside the command's answer, which a file or another program may
 * read, and without stack traces, which say nothing to the person who runs the command.
 */
export function createCommandLogger(level: string): Logger {
  const err = (error: Error) => ({ ...(withoutRowData(error) as object), stack: undefined });
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err } };
  return pino(options, outputTo(STANDARD_ERROR));
}

/**
 * A disk that is full, or writes nothing for another reason, must neither end nor stop what moves money: lines wait for
 * room, and those that would be too many are left out.
 */
function outputTo(fd: number) {
  const output = destination({ fd, sync: true, maxLength: MOST_WAITING_BYTES });
  output.on('error', () => undefined);
  // A line that is left out does not start the writing of those that wait: an empty one does.
  output.on('drop', () => output.write(''));
  // After a fatal line this would write again and again until there is room, and nothing else would be done meanwhile.
  output.flushSync = () => undefined;
  return output;
}

function withoutRowData(error: Error): unknown {
  const serialized: Record<string, unknown> = { ...stdSerializers.err(error) };
  for (const name of ROW_DATA) delete serialized[name];
  return serialized;
}
