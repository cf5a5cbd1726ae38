import type { Movement } from '../ledger/index.ts';

/** What one side brings to a movement that an approval and its subject make together. */
export type MovementParts = Partial<
  Pick<
    Movement,
    | 'claims'
    | 'marks'
    | 'unmarks'
    | 'allowances'
    | 'checks'
    | 'changes'
    | 'transitions'
    | 'transfers'
    | 'writes'
    | 'numbered'
    | 'events'
  >
>;

/** All of them as one, each list in the order in which they are given. */
export function joinParts(...parts: readonly MovementParts[]): Required<MovementParts> {
  return {
    claims: parts.flatMap(({ claims }) => claims ?? []),
    marks: parts.flatMap(({ marks }) => marks ?? []),
    unmarks: parts.flatMap(({ unmarks }) => unmarks ?? []),
    allowances: parts.flatMap(({ allowances }) => allowances ?? []),
    checks: parts.flatMap(({ checks }) => checks ?? []),
    changes: parts.flatMap(({ changes }) => changes ?? []),
    transitions: parts.flatMap(({ transitions }) => transitions ?? []),
    transfers: parts.flatMap(({ transfers }) => transfers ?? []),
    writes: parts.flatMap(({ writes }) => writes ?? []),
    numbered: parts.flatMap(({ numbered }) => numbered ?? []),
    events: parts.flatMap(({ events }) => events ?? []),
  };
}
