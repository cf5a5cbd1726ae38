import { fileURLToPath } from 'node:url';
import { firstLoads } from './first-load.ts';

/** Prints what each page of the built dashboard weighs at its first load. */
for (const { route, bytes } of firstLoads(fileURLToPath(new URL('../dashboard/dist', import.meta.url)))) {
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${route}`);
}
