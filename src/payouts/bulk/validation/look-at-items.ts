import type { PayoutDeps } from '../../deps.ts';
import type { ItemRow } from '../queries.ts';
import { type CheckContext, type Checked, checkItem } from './check-item.ts';
import type { ItemVerdict } from './queries.ts';

/** Name enquiries of one batch under way at once. The rail has a limit of its own, and single payouts wait in it too. */
const CONCURRENCY = 32;
/**
 * No further question is begun in a piece after this, so that a piece, with the slowest answers that a rail may give, is
 * over long before its lease.
 */
const PIECE_MS = 5_000;

export interface Look {
  /** Of all items up to `upTo` but those about which the rail was silent. */
  verdicts: ItemVerdict[];
  /** Position of the last item that was looked at. */
  upTo: number;
  silent: number;
  /** Nobody answered at all, because the rail is not being asked: further questions are idle. */
  railDown: boolean;
}

/**
 * Asks about items in the order of their positions, many at a time.
 *
 * @param giveUp what is said of an item about which the rail is silent; undefined leaves it to be asked about again.
 */
export async function lookAtItems(
  deps: PayoutDeps,
  context: CheckContext,
  items: readonly ItemRow[],
  giveUp: ((item: ItemRow) => string) | undefined,
): Promise<Look> {
  const begunAt = deps.clock.now().getTime();
  const validated_at = new Date(begunAt).toISOString();
  const look: Look = { verdicts: [], upTo: 0, silent: 0, railDown: false };
  let next = 0;
  let down = 0;
  const keep = (item: ItemRow, checked: Checked) => {
    const { merchant_id, mode, id, batch_id, position } = item;
    const verdict = (check: Checked['check']) =>
      look.verdicts.push({ merchant_id, mode, id, batch_id, position, ...check, validated_at });
    if (!checked.silent) verdict(checked.check);
    else if (giveUp !== undefined) verdict({ ...checked.check, reason: giveUp(item) });
    else {
      look.silent += 1;
      if (checked.down) down += 1;
    }
  };
  const work = async () => {
    while (next < items.length && deps.clock.now().getTime() - begunAt < PIECE_MS) {
      const item = items[next] as ItemRow;
      next += 1;
      keep(item, await checkItem(deps, context, item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, work));
  look.upTo = items[next - 1]?.position ?? 0;
  look.railDown = down > 0 && down === next;
  return look;
}
