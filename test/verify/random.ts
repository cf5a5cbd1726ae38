/** Numbers that look random and follow from a seed, so that whatever they led to can be had again. */
export interface Random {
  readonly seed: number;
  /** From 0 up to, but not, `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(of: readonly T[]): T[];
}

/**
 * A number from 0 up to 2^32 that goes by these words alone. What is chosen by the least of them stays the choice, whatever else
 * there is to choose from and in whatever order: a history is never quite the same twice.
 */
export function drawOf(seed: number, ...words: readonly string[]): number {
  // FNV-1a, and mulberry32 over it: words that hardly differ come to quite another number.
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const sign of words.join('\0')) hash = Math.imul(hash ^ (sign.codePointAt(0) as number), 0x01000193) >>> 0;
  return Math.floor(randomOf(hash).below(2 ** 32));
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    seed,
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    shuffled(of) {
      const all = [...of];
      for (let at = all.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [all[at], all[other]] = [all[other] as (typeof all)[number], all[at] as (typeof all)[number]];
      }
      return all;
    },
  };
}
