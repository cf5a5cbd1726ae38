import type { Static } from 'typebox';
import type { Mode } from '../platform/tenant.ts';
import type { RailAccountRow, RailChoiceRow } from './queries.ts';
import { SANDBOX } from './rail-directory.ts';
import type { RailChoiceSchema } from './schemas.ts';
import { selectableRails } from './usable-rails.ts';

export type RailChoiceView = Static<typeof RailChoiceSchema>;

interface RailChoiceFacts {
  own: (RailChoiceRow & { chosen_by: 'MERCHANT' | 'OPERATOR' }) | undefined;
  defaults: readonly (RailChoiceRow & { mode: Mode })[];
  rows: readonly RailAccountRow[];
}

/** What a tenant's next payouts go by, and what may be chosen instead. Names and providers, nothing of credentials. */
export function railChoiceView(mode: Mode, { own, defaults, rows }: RailChoiceFacts): RailChoiceView {
  const isOwn = own !== undefined && own.first_rail !== null;
  const builtIn: RailChoiceRow = { first_rail: mode === 'SANDBOX' ? SANDBOX : null, second_rail: null };
  const choice = isOwn ? own : (defaults.find((each) => each.mode === mode) ?? builtIn);
  return {
    mode,
    first: chosenRail(choice.first_rail, rows),
    second: chosenRail(choice.second_rail, rows),
    chosenBy: isOwn ? own.chosen_by : 'DEFAULT',
    available: selectableRails(rows, mode, 'MERCHANT'),
  };
}

function chosenRail(name: string | null, rows: readonly RailAccountRow[]): RailChoiceView['first'] {
  if (name === null) return null;
  if (name === SANDBOX) return { name, provider: SANDBOX, isActive: true };
  const row = rows.find((each) => each.name === name);
  return { name, provider: row?.provider ?? 'unknown', isActive: row?.active === true };
}
