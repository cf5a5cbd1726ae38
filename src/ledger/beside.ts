import type { Movement } from './movement.ts';

interface Text {
  readonly name: string;
  readonly text: string;
}

/**
 * Whether all that a movement reads and writes has its rows beside those of its merchant, where Citus distributes the
 * database: then the server that has the books can commit it without another one. A statement that as much as has the word
 * is taken for one of the table.
 * @param elsewhere tables whose rows are not
 */
export function besideTheBooks(elsewhere: ReadonlySet<string>): (movement: Movement) => boolean {
  const known = new Map<string, boolean>();
  const isBeside = ({ name, text }: Text): boolean => {
    let found = known.get(name);
    if (found === undefined) {
      found = !(text.match(/\w+/g) ?? []).some((word) => elsewhere.has(word));
      known.set(name, found);
    }
    return found;
  };
  return ({ writes, numbered, transitions, checks }) =>
    (writes === undefined || writes.every(({ into }) => isBeside(into))) &&
    (numbered === undefined || numbered.every(({ into }) => isBeside(into))) &&
    (transitions === undefined ||
      transitions.every(({ machine }) => isBeside(machine.lock) && isBeside(machine.update))) &&
    (checks === undefined || checks.every(({ question }) => isBeside(question)));
}
