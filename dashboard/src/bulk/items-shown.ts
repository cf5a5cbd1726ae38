/** Which rows are in sight; everything without a word. `group` is the rows of one problem. */
export const SHOWN = [
  'invalid',
  'names',
  'warnings',
  'repeats',
  'group',
  'paid',
  'failed',
  'returned',
  'left-out',
  'in-progress',
] as const;

export interface ItemsShown {
  show?: (typeof SHOWN)[number] | undefined;
  /** Of the group: its code, and its cause where it has one. */
  problem?: string | undefined;
  cause?: string | undefined;
}

export function readShown({ show, problem, cause }: Record<string, unknown>): ItemsShown {
  const known = SHOWN.find((one) => one === show);
  if (known !== 'group') return known === undefined ? {} : { show: known };
  if (typeof problem !== 'string') return {};
  // A cause such as "8" is read out of the address as a number.
  const isCause = typeof cause === 'string' || typeof cause === 'number';
  return { show: known, problem, ...(isCause ? { cause: String(cause) } : {}) };
}

const OUTCOMES = {
  paid: 'PAID',
  failed: 'FAILED',
  returned: 'RETURNED',
  'left-out': 'LEFT_OUT',
  'in-progress': 'IN_PROGRESS',
} as const;

/** The query that reads these rows. */
export function filterOf({ show, problem, cause }: ItemsShown) {
  switch (show) {
    case undefined:
      return {};
    case 'invalid':
      return { isValid: false };
    case 'names':
      return { problem: 'NAME_DIFFERS', order: 'MATCH' as const };
    case 'warnings':
      return { hasWarnings: true };
    case 'repeats':
      return { isDuplicate: true };
    case 'group':
      return {
        ...(problem === undefined ? {} : { problem }),
        ...(cause === undefined ? {} : { cause }),
        ...(problem === 'NAME_DIFFERS' ? { order: 'MATCH' as const } : {}),
      };
    default:
      return { outcome: OUTCOMES[show] };
  }
}
