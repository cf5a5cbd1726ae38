import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { twMerge } from 'tailwind-merge';
import { describe, expect, it } from 'vitest';
import { cn } from '../../dashboard/src/components/class-names.ts';

const SOURCES = fileURLToPath(new URL('../../dashboard/src', import.meta.url));
const NOT_PAGES = ['class-names.ts', 'schema.d.ts', 'route-tree.gen.ts'];

/** Every word in quotes that is a class for the library, which says a word that it knows once where it stands twice. */
function classesOfPages(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !NOT_PAGES.some((other) => name.endsWith(other)),
  );
  const texts = files.flatMap((name) => readFileSync(join(SOURCES, name), 'utf8').match(/(['"`])[^'"`\n]*\1/g) ?? []);
  const words = new Set(texts.flatMap((text) => text.slice(1, -1).split(/\s+/)));
  const known = [...words].filter((word) => word !== '' && twMerge(`${word} ${word}`) === word);
  // Of those that differ by their number alone, two speak for all.
  return [...Map.groupBy(known, (word) => word.replace(/\d+/g, '0')).values()].flatMap((alike) => alike.slice(0, 2));
}

/** `hover:` and the like: classes of different states never say the same thing. */
const stateOf = (word: string): string => word.slice(0, word.lastIndexOf(':') + 1);

describe('class names', () => {
  it('of any two that the pages have, the same one counts as by the table of all of Tailwind', () => {
    const classes = classesOfPages();
    expect(classes.length).toBeGreaterThan(250);
    const other: string[] = [];
    for (const one of classes) {
      for (const next of classes) {
        if (one === next || stateOf(one) !== stateOf(next)) continue;
        const both = `${one} ${next}`;
        if (cn(both) !== twMerge(both)) other.push(`${both}: ${cn(both)}, not ${twMerge(both)}`);
      }
    }
    expect(other).toEqual([]);
  });
});
