import { readFileSync, writeFileSync } from 'node:fs';
import { apiTypes } from './api-types.ts';

/** The dashboard's types, from the document that `openapi` has just written. */
const file = new URL('../dashboard/src/api/schema.d.ts', import.meta.url);
const whole = readFileSync(new URL('../dashboard/openapi.json', import.meta.url), 'utf8');
writeFileSync(file, await apiTypes(JSON.parse(whole)));
console.log('Wrote dashboard/src/api/schema.d.ts.');
