import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawn } from './diagram-text.ts';

/** Writes the drawings of ARCHITECTURE.md from the imports of src/. */
const PAGE = fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url));
writeFileSync(PAGE, drawn(readFileSync(PAGE, 'utf8')));
process.stdout.write('Wrote ARCHITECTURE.md.\n');
