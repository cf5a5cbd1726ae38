import { createLedger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { createWebhookWorker } from '../../src/webhooks/index.ts';

/** A worker in a process of its own, for tests that kill it. */
const logger = createLogger('silent');
const database = openDatabase({
  connectionString: process.env['TEST_DATABASE'] ?? '',
  maxConnections: 4,
  logger,
});
const clock = systemClock;
const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
const ledger = createLedger({ database, logger, clock, committers: 1 });
const jobs = createJobMonitor({ clock, logger });
createWebhookWorker({ database, ledger, secrets, clock, logger, jobs }, { allowLoopback: true, pollMs: 20 }).start();
