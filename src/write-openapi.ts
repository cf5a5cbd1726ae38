import { writeFileSync } from 'node:fs';
import { createApp } from './app.ts';
import { type Config, ConfigError } from './config.ts';
import { finishDocument, madeDocument, publicDocument } from './documentation/index.ts';
import { systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/db/database.ts';
import { createLogger } from './platform/logger.ts';
import { createSecrets } from './platform/secrets.ts';

/**
 * Writes the API document into a file, or all of it, with what only signed-in people use, to standard output for `--whole`. It
 * comes from the routes; no database is asked.
 * @returns the exit code
 */
export async function writeOpenApi(config: Config, file: string): Promise<number> {
  const logger = createLogger('fatal');
  const database = openDatabase({ connectionString: 'postgres://nobody@127.0.0.1/none', maxConnections: 1, logger });
  const secrets = createSecrets('', Buffer.alloc(32).toString('base64'));
  const app = await createApp({ config, database, secrets, clock: systemClock, logger });
  await app.server.ready();
  const made = madeDocument(app.server);
  if (file === '--whole') process.stdout.write(JSON.stringify(finishDocument(made)));
  else writeDocument(file, `${JSON.stringify(publicDocument(made), null, 2)}\n`);
  await app.close();
  await database.close();
  return 0;
}

/** @throws ConfigError */
function writeDocument(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new ConfigError(`openapi cannot write its file: ${(error as Error).message}.`);
  }
}
