import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { createLogger } from '../../src/platform/logger.ts';

/** A process of its own that starts the database, says so in one line of JSON, and stays until it is killed. */
const [, , dataDir = ''] = process.argv;
try {
  const { connectionString } = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
  process.stdout.write(`${JSON.stringify({ connectionString })}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
}
