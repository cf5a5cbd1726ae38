import { AppError } from '../errors.ts';
import type { Queries } from './connections.ts';
import { cancelTransaction, limitStatements } from './statement.ts';

interface Wanted {
  /**
   * The connection by which the server is asked to end a statement: another one, to the same server where there are
   * several.
   */
  beside: Queries;
  /** How long a statement may run. */
  maxMs: number;
  /** Aborted where nobody waits for the answer any more. */
  gone: AbortSignal | undefined;
}

/** Nobody sees this error. */
const nobodyWaits = () => new AppError('unavailable', 'SERVICE_UNAVAILABLE', 'Nobody waits for this any more.');

/**
 * Reads in the snapshot of `queries`, each statement for a limited time. The server ends a statement that runs for
 * longer, and one whose client has gone away, so that clients who ask and leave take no more of the database than
 * clients who wait. The connection is held until the server has answered, so that nothing that runs on it later is
 * ended.
 */
export async function readWhileWanted<T>(
  queries: Queries,
  { beside, maxMs, gone }: Wanted,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const isGone = () => gone?.aborted === true;
  if (isGone()) throw nobodyWaits();
  // It is sent ahead of the reads.
  const limited = queries.query(limitStatements, [String(maxMs)]);
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    // Where it cannot be asked, the limit ends the statement.
    cancelling = limited
      .then(([one]) => beside.query(cancelTransaction, [one?.pid, one?.begun]))
      .catch(() => undefined);
  };
  gone?.addEventListener('abort', cancel, { once: true });
  const query: Queries['query'] = (asked, values) =>
    isGone() ? Promise.reject(nobodyWaits()) : queries.query(asked, values);
  try {
    const [found] = await Promise.all([work({ ...queries, query }), limited]);
    return found;
  } catch (error) {
    throw isGone() ? nobodyWaits() : error;
  } finally {
    gone?.removeEventListener('abort', cancel);
    await cancelling;
  }
}
