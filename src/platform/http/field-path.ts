/** How answers name a field of a body: its names and places from the outermost on, joined by points. */

const MAX_LENGTH = 100;

/** @param name of a member, or the place in a list */
export function under(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** As an answer has it: names are the client's, of any length and with anything in them. */
export function shown(path: string): string {
  return path.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed();
}
