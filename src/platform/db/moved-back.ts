/** Nothing of ours happened before: what is moved back further stays here, where every clock can write it. */
const EARLIEST = `timestamptz '2000-01-01 00:00:00+00'`;

/**
 * SQL for a time that is `seconds` earlier, though never before the year 2000, wherever it was; null stays null.
 * @param seconds an expression: a number, not negative.
 */
export function movedBack(column: string, seconds: string): string {
  const moved = `greatest(${column}, ${EARLIEST}) - make_interval(secs => ${seconds})`;
  return `case when ${column} is not null then greatest(${moved}, ${EARLIEST}) end`;
}
