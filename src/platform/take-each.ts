import { lineOfFailure, unavailable } from './errors.ts';
import type { Logger } from './logger.ts';

interface Refused {
  logger: Pick<Logger, 'error'>;
  /** What is logged of a failure. */
  message: string;
  about: Readonly<Record<string, unknown>>;
  /** What the sender reads where not all could be kept. */
  answer: string;
}

/**
 * Takes each of the reports that came together. Where some cannot be kept, every cause is a line of the log, and who sent them is
 * asked to send all of them again: copies change nothing.
 * @throws AppError `SERVICE_UNAVAILABLE`
 */
export async function takeEach<Report, Taken>(
  reports: readonly Report[],
  take: (report: Report) => Promise<Taken>,
  { logger, message, about, answer }: Refused,
): Promise<Taken[]> {
  const results = await Promise.allSettled(reports.map(take));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failed.length === 0) return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const [error, ...alike] of Map.groupBy(failed, String).values()) {
    logger.error(...lineOfFailure(error, message, { ...about, times: alike.length + 1 }));
  }
  throw unavailable(answer, failed[0]);
}
