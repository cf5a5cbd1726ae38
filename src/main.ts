import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './config.ts';
import { type Parts, processesOf } from './service-process.ts';

/** The commands that several processes may run, by their word. */
const SERVICES: ReadonlyMap<string, Parts> = new Map([
  ['', { api: true, workers: true }],
  ['serve', { api: true, workers: false }],
  ['work', { api: false, workers: true }],
]);

/** Undefined for any other command, and for words that these do not take. */
function readService(argv: readonly string[]) {
  try {
    const options = { processes: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const parts = positionals.length > 1 ? undefined : SERVICES.get(positionals[0] ?? '');
    return parts === undefined ? undefined : { parts, positionals, processes: values.processes };
  } catch {
    return undefined;
  }
}

/** Runs the command here, or in several processes with a supervisor, which serves nothing and loads little. */
async function main(argv: readonly string[]): Promise<void> {
  const service = readService(argv);
  // The option is the setting for this once.
  if (service?.processes !== undefined) process.env['PROCESSES'] = service.processes;
  if (service !== undefined && cluster.isPrimary) {
    const config = readSettings();
    const count = config === undefined ? 1 : processesOf(config, service.parts, availableParallelism());
    if (config !== undefined && count > 1) {
      const { supervise } = await import('./supervisor.ts');
      return supervise(config, service.parts, count);
    }
  }
  const { runCommand } = await import('./command.ts');
  return runCommand(service?.positionals ?? argv);
}

/** Undefined where they are wrong: the command says how. */
function readSettings() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

await main(process.argv.slice(2));
