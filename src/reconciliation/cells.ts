/** How people and programs write the names of columns: only letters and digits count, in any case. */
export const spelled = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** As it was before somebody's spreadsheet was set to leave it alone. */
export const plainText = (text: string) => text.replace(/^'/, '');

const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/;

/** `1,500.5`, `₦1,500.50`, `NGN 1500` and `-1500` (a statement's debit) alike; anything longer or stranger is null. */
export function nairaInKobo(text: string): bigint | null {
  const plain = text.replace(/^-?\s*(?:₦|NGN|N)?\s*-?/i, '').replaceAll(/[,\s\u00a0]/g, '');
  const [, whole, part = ''] = AMOUNT.exec(plain) ?? [];
  return whole === undefined ? null : BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

export function wholeKobo(text: string): bigint | null {
  const plain = text.replaceAll(/[,\s\u00a0]/g, '');
  return /^\d{1,15}$/.test(plain) ? BigInt(plain) : null;
}

/** Longer than any id, reference or date that a provider has. */
const MAX_TEXT = 200;

/** The text of a cell, empty where the file has no such column. */
export const cellOf = (cells: readonly string[], place: number | undefined): string =>
  place === undefined ? '' : (cells[place] ?? '').trim().slice(0, MAX_TEXT);

/** Where each column stands: of several names that a file has for one, the first of the list. */
export function placesOf<Column extends string>(
  cells: readonly string[],
  spellings: Readonly<Record<Column, readonly string[]>>,
): Partial<Record<Column, number>> {
  const names = cells.map(spelled);
  const places: Partial<Record<Column, number>> = {};
  for (const [column, known] of Object.entries(spellings) as [Column, readonly string[]][]) {
    const found = known.find((spelling) => names.includes(spelling));
    if (found !== undefined) places[column] = names.indexOf(found);
  }
  return places;
}
