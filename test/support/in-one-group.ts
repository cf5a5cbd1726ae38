import type { CommitResult, Ledger } from '../../src/ledger/index.ts';

/** The ledger as two have it whose first movements come to it at the same moment; what they commit later comes alone. */
export function inOneGroup(ledger: Ledger, isTurned = false): Ledger {
  const waiting: (() => void)[] = [];
  let isOver = false;
  return {
    ...ledger,
    commit(movement) {
      if (isOver) return ledger.commit(movement);
      const { promise, resolve, reject } = Promise.withResolvers<CommitResult>();
      waiting.push(() => void ledger.commit(movement).then(resolve, reject));
      isOver = waiting.length === 2;
      if (isOver) for (const one of isTurned ? waiting.toReversed() : waiting) one();
      return promise;
    },
  };
}
