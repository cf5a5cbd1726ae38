import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Recorded } from './recording-statement.ts';

const FACTORY = /\/src\/platform\/db\/statement\.ts$/;
const RECORDING = new URL('./recording-statement.ts', import.meta.url).href;

/** Imports the files, and returns every statement that was made meanwhile. */
export async function collectStatements(files: readonly string[]): Promise<readonly Recorded[]> {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isFactory = FACTORY.test(resolved.url) && context.parentURL !== RECORDING;
      return isFactory ? { ...resolved, url: RECORDING } : resolved;
    },
  });
  const { recorded } = (await import(RECORDING)) as typeof import('./recording-statement.ts');
  for (const file of files) await import(pathToFileURL(file).href);
  return [...recorded];
}
