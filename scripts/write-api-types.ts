import { writeFileSync } from 'node:fs';
import { apiTypes, wholeDocument } from './api-types.ts';

/** The dashboard's types, from the document with what only signed-in people use. */
writeFileSync(new URL('../dashboard/src/api/schema.d.ts', import.meta.url), await apiTypes(wholeDocument()));
console.log('Wrote dashboard/src/api/schema.d.ts.');
