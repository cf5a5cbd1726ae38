/** Rows of one statement: some hundred milliseconds. */
const PIECE = 1_000;
/**
 * Rows of one run, some seconds. A job that removes pieces has it as its `most`: the rest is removed soon afterwards.
 */
export const MOST_A_RUN = 50_000;

/**
 * Removes what has had its time piece by piece, so that nobody waits long for a lock of it. A piece may be short because
 * another process removes the same rows; one that is empty says that nothing is left, or that the other goes on.
 * @param removePiece removes up to so many, and says how many
 * @returns how many are gone; `MOST_A_RUN` where there may be more
 */
export async function removeInPieces(removePiece: (atMost: number) => Promise<number>): Promise<number> {
  let total = 0;
  while (total < MOST_A_RUN) {
    const removed = await removePiece(Math.min(PIECE, MOST_A_RUN - total));
    if (removed === 0) break;
    total += removed;
  }
  return total;
}

/**
 * Does the parts of a job one after the other, each for itself: a part that fails does not keep the others from being
 * done.
 * @returns how much all of them did
 * @throws the first error, once all had their turn
 */
export async function doEach(parts: readonly (() => Promise<number>)[]): Promise<number> {
  let done = 0;
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      done += await part();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return done;
}
