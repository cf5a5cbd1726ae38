import type { Data, Mode } from '../api/types.ts';

/** A rail as the operator sees it. */
export type Rail = Data<'get', '/operator/rail'>['records'][number];

/** The rails by name and the mode that they pay in, said once where the name says it. */
export function railsText(rails: readonly string[], mode: Mode): string {
  const names = rails.join(' and ');
  const word = mode.toLowerCase();
  return names.toLowerCase().includes(word) ? names : `${names}, ${word}`;
}
