/**
 * SQL for a moment of a row, moved. Reckoned without a zone: a distributed table may not be changed by what depends on the
 * connection. @param by as an interval has it: `-91 days`
 */
export const moved = (column: string, by: string): string =>
  `((${column} at time zone 'UTC' + interval '${by}') at time zone 'UTC')`;
