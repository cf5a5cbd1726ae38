/** Numbers that look random and follow from a seed, so that whatever they led to can be had again. */
export interface Random {
  readonly seed: number;
  /** From 0 up to, but not, `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(of: readonly T[]): T[];
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
