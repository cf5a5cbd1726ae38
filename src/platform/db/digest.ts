import { hash } from 'node:crypto';

/**
 * SHA-256, hex, over values as `json_build_array(…)::text` writes them, times as `extract(epoch from …)`: the digest of
 * a row of evidence, which the proof computes again in SQL. PostgreSQL takes ten times as long.
 */
export function digestOf(values: readonly (string | Date | null)[]): string {
  return hash('sha256', `[${values.map(jsonOf).join(', ')}]`, 'hex');
}

/** Texts are escaped where JSON requires it. Half a character is replaced. */
function jsonOf(value: string | Date | null): string {
  if (value === null) return 'null';
  return value instanceof Date ? epochOf(value) : JSON.stringify(value.toWellFormed());
}

/** Seconds with six decimals. */
function epochOf(moment: Date): string {
  const ms = Math.abs(moment.getTime());
  const seconds = `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}000`;
  return moment.getTime() < 0 ? `-${seconds}` : seconds;
}
