/** Rows of one statement, and statements of one run: some hundred milliseconds each. What is left, the next run takes. */
export const PIECE = 1_000;
const MAX_PIECES = 50;

/**
 * Removes what has had its time piece by piece, so that nobody waits long for a lock of it.
 * @param removePiece removes up to so many, and says how many
 * @returns how many are gone
 */
export async function removeInPieces(removePiece: (atMost: number) => Promise<number>): Promise<number> {
  let gone = 0;
  for (let piece = 0; piece < MAX_PIECES; piece += 1) {
    const removed = await removePiece(PIECE);
    gone += removed;
    if (removed < PIECE) break;
  }
  return gone;
}

/**
 * Does one after the other, each for itself: what fails keeps none of the others from being done.
 * @returns what they come to
 * @throws what failed first, once all have had their turn
 */
export async function sumOfEach(works: readonly (() => Promise<number>)[]): Promise<number> {
  let sum = 0;
  const errors: unknown[] = [];
  for (const work of works) {
    try {
      const some = await work();
      sum += some;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return sum;
}
