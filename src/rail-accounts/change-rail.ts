import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { railAccountNotFound } from './errors.ts';
import { updateDefaultRails, updateRailActive } from './queries.ts';
import { checkOrder, type RailOrder } from './rail-order.ts';
import { requireSelectable } from './selectable-rails.ts';

interface ChangeRailDeps {
  database: Queries;
  clock: Clock;
}

/**
 * Switches an account off or on. Off, it gets no new payouts; those that it has are asked about as before.
 * @throws AppError `RAIL_NOT_FOUND`
 */
export async function setRailActive(deps: ChangeRailDeps, name: string, active: boolean): Promise<void> {
  const [changed] = await deps.database.query(updateRailActive, [name, active, deps.clock.now()]);
  if (changed === undefined) throw railAccountNotFound(name);
}

/**
 * The rails of merchants that chose none. The sandbox rail is named `sandbox`.
 * @throws AppError `RAIL_NOT_SELECTABLE`, `VALIDATION_FAILED`
 */
export async function setDefaultRails(
  deps: ChangeRailDeps,
  { mode, first, second }: RailOrder & { mode: Mode; first: string },
): Promise<void> {
  const order = checkOrder({ first, second });
  await requireSelectable(deps.database, mode, order, 'OPERATOR');
  await deps.database.query(updateDefaultRails, [mode, order.first, order.second, deps.clock.now()]);
}
