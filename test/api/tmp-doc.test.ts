import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { createTestDatabase } from '../support/database.ts';
import { systemClock } from '../../src/platform/clock.ts';
it('doc', async () => {
  const { connectionString, drop } = await createTestDatabase();
  const logger = createLogger('fatal');
  const database = openDatabase({ connectionString, maxConnections: 2, logger });
  const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
  const app = await createApp({ config: readConfig({ DATABASE_URL: connectionString, DEMO_DATA: 'true' }), database, secrets, clock: systemClock, logger });
  await app.server.ready();
  writeFileSync('/tmp/hx/doc.json', JSON.stringify(app.server.swagger(), null, 1));
  await app.close(); await database.close(); await drop();
});
