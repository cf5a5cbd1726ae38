import { upload } from '../support/files.ts';
import type { Merchant, PayoutFixture } from './payout-fixture.ts';

/** Sends a list as a file, by multipart. */
export const sendFile = (
  { server }: PayoutFixture,
  { secretKey }: Merchant,
  content: string | Buffer,
  fields = {},
  headers = {},
  name = 'list.csv',
) => upload(server, secretKey, { name, content }, fields, headers);

/** What there is of a merchant's uploads and batches, seen or not. */
export async function keptOf({ database }: PayoutFixture, { merchantId }: Merchant) {
  const count = async (table: string) => {
    const { rows } = await database.pool.query(`select count(*)::int as n from ${table} where merchant_id = $1`, [
      merchantId,
    ]);
    return rows[0].n as number;
  };
  return { batches: await count('batches'), items: await count('batch_items'), uploads: await count('batch_uploads') };
}
