import { LRUCache } from 'lru-cache';
import { type LockedCheck, lockedCheck } from '../../../ledger/index.ts';
import { columnArrays } from '../../../platform/db/statement.ts';
import type { PayoutDeps } from '../../deps.ts';
import { BATCHES, KEYS } from '../../duplicates/dedupe-keys.ts';
import { repeatsChanged } from '../errors.ts';
import type { BatchRecord } from '../queries.ts';
import { checkRepeats, type Repeats, readOthers } from './check-repeats.ts';
import { findRepeatsSince } from './queries.ts';

/** Batches whose last check is remembered. */
const MAX_REMEMBERED = 1_000;
/** Windows end by themselves, and payouts fail: so long may a check still count what is no duplicate any more. */
const MAX_AGE_MS = 15_000;

export type BatchRepeats = ReturnType<typeof createBatchRepeats>;

/** Says of batches what their items repeat, and looks again only where that may be something else by now. */
export function createBatchRepeats(deps: PayoutDeps) {
  const remembered = new LRUCache<string, { checked: Promise<Repeats>; signature: string; at: Date }>({
    max: MAX_REMEMBERED,
  });
  return async (batch: BatchRecord): Promise<Repeats> => {
    const key = `${batch.id}/${batch.version}`;
    const { others, signature } = await readOthers(deps, batch);
    const known = remembered.get(key);
    const now = deps.clock.now();
    if (known?.signature === signature && Math.abs(now.getTime() - known.at.getTime()) < MAX_AGE_MS) {
      const repeats = await known.checked;
      if (!(await isOutdated(deps, batch, repeats))) return { ...repeats, added: 0 };
    }
    const checked = checkRepeats(deps, batch, others);
    remembered.set(key, { checked, signature, at: now });
    checked.catch(() => remembered.delete(key));
    return checked;
  };
}

async function isOutdated({ database }: PayoutDeps, batch: BatchRecord, repeats: Repeats): Promise<boolean> {
  const values = columnArrays(findRepeatsSince, [questionOf(batch, repeats)]);
  return (await database.query(findRepeatsSince, values)).length > 0;
}

/** For the movement that dispatches a batch, or puts it before approvers: by its commit the items repeat no more. */
export function repeatsStand(batch: BatchRecord, repeats: Repeats): LockedCheck {
  return lockedCheck({
    question: findRepeatsSince,
    rows: [questionOf(batch, repeats)],
    about: [KEYS, BATCHES],
    refusal: (found) => (found.length === 0 ? undefined : repeatsChanged()),
  });
}

function questionOf({ merchant_id, mode, id }: BatchRecord, { sequence }: Repeats) {
  return { merchant_id, mode, batch_id: id, since: sequence };
}
