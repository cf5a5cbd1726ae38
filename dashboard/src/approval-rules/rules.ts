import type { Data } from '../api/types.ts';

export type Rules = Data<'get', '/approval/rules'>;

/** What a change did: it is in force, or it waits for others. */
export function changedWords(rules: Rules): string {
  return rules.approvalId === null ? 'Saved. It holds at once.' : 'The change waits for approval by others.';
}

/** What holds where nobody has chosen yet: one approval for everything. */
const FIRST_RULES: Rules['rules'] = [{ fromAmount: 0, approvals: 1 }];

export const rulesOf = ({ rules }: Rules): Rules['rules'] => (rules.length === 0 ? FIRST_RULES : rules);
