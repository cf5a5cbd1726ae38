import { createBanks } from '../../src/banks/index.ts';
import { keepRows } from '../../src/batch-files/create-batch.ts';
import { beginUpload } from '../../src/batch-files/uploads.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { clockOf } from '../support/clock.ts';

/** A process that takes rows in without end: a test kills it. It says so when the first of them are written. */
const logger = createLogger('silent');
const at = new Date(String(process.env['STARTED_AT']));
const clock = clockOf(() => at);
const database = openDatabase({ connectionString: String(process.env['DATABASE_URL']), maxConnections: 2, logger });
const tenant = { merchantId: String(process.env['MERCHANT_ID']), mode: 'SANDBOX' as const };

async function* withoutEnd() {
  for (let piece = 0; ; piece += 1) {
    yield Array.from({ length: 1_000 }, (_, row) => ({
      position: piece * 1_000 + row + 1,
      amount: '1000',
      bankCode: '058',
      bankName: '',
      accountNumber: '0123456785',
      givenName: '',
      narration: 'x',
      phoneNumber: '',
      complaint: null,
    }));
    if (piece === 3) process.send?.('written');
    if (piece > 3) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const upload = await beginUpload({ database, clock, logger, ledger: undefined as never }, tenant);
await keepRows({ database, banks: createBanks({ database, clock }) }, upload, withoutEnd());
