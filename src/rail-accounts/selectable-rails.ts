import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { railNotSelectable } from './errors.ts';
import { listRailAccountRows, type RailAccountRow } from './queries.ts';
import { SANDBOX } from './rail-directory.ts';

/** Who chooses: a merchant sees only what the operator opened to merchants. */
export type Chooser = 'MERCHANT' | 'OPERATOR';

export interface SelectableRail {
  name: string;
  provider: string;
}

/** What may be chosen in a mode, the sandbox rail first. Accounts that are switched off may not. */
export function selectableRails(rows: readonly RailAccountRow[], mode: Mode, by: Chooser): SelectableRail[] {
  const open = rows.filter((row) => row.mode === mode && row.active && (by === 'OPERATOR' || row.open_to_merchants));
  const named = open.map(({ name, provider }) => ({ name, provider }));
  return mode === 'SANDBOX' ? [{ name: SANDBOX, provider: SANDBOX }, ...named] : named;
}

/** @throws AppError `RAIL_NOT_SELECTABLE` */
export async function requireSelectable(
  queries: Queries,
  mode: Mode,
  { first, second }: { first: string | null; second: string | null },
  by: Chooser,
): Promise<RailAccountRow[]> {
  const rows = await queries.query(listRailAccountRows);
  const names = new Set(selectableRails(rows, mode, by).map(({ name }) => name));
  for (const name of [first, second]) {
    if (name !== null && !names.has(name)) throw railNotSelectable(name);
  }
  return rows;
}
