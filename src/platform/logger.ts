import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * JSON lines on stdout. Nothing logs bodies or headers: what a request line may say is an allow list in
 * `platform/http`, so a PIN, a key or a BVN has no way in.
 */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
