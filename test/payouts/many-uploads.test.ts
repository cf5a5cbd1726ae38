import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataDir, readDemo, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from './payout-fixture.ts';

const MEGABYTE = 1024 * 1024;

/** A JSON list that is long on the wire, of few rows. */
function listOf(rows: number, bytes: number): string {
  const padding = ' '.repeat(Math.max(0, Math.floor(bytes / rows) - 100));
  const item = (at: number) =>
    `{"amount":${1_000 + at},"bankCode":"058","accountNumber":"${1_000_000_000 + at}",${padding}"narration":"Salary"}`;
  return `{"items":[${Array.from({ length: rows }, (_, at) => item(at)).join(',')}]}`;
}

describe('lists that come at once', () => {
  let fixture: PayoutFixture;
  beforeAll(async () => {
    fixture = await createPayoutFixture();
  });
  afterAll(() => fixture.close());

  const send = async (merchant: Merchant, payload: string, headers: Record<string, string> = {}) => {
    const answer = await fixture.server.inject({
      method: 'POST',
      url: '/payout/bulk',
      headers: { authorization: `Bearer ${merchant.secretKey}`, 'content-type': 'application/json', ...headers },
      payload,
    });
    return { status: answer.statusCode, headers: answer.headers, code: answer.json().code as string | undefined };
  };

  it('of one merchant are read one after the other, and another merchant’s goes in between', async () => {
    const [busy, other] = [await fixture.addMerchant(), await fixture.addMerchant()];
    const ended: string[] = [];
    const all = Array.from({ length: 6 }, () =>
      send(busy, listOf(3_000, MEGABYTE)).then(({ status }) => ended.push(`busy ${status}`)),
    );
    const one = send(other, listOf(600, MEGABYTE)).then(({ status }) => ended.push(`other ${status}`));
    await Promise.all([...all, one]);
    expect(ended.toSorted()).toEqual([...new Array(6).fill('busy 200'), 'other 200']);
    expect(ended.indexOf('other 200')).toBeLessThan(3);
  });

  it('are refused with a time to come again beyond what may wait, and nothing of them is kept', async () => {
    const merchant = await fixture.addMerchant();
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(merchant, listOf(700, 100_000))));
    const refused = replies.filter(({ status }) => status !== 200);
    // One is read and twelve wait; where the first was read before the last had come, one more found room.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(7);
    for (const reply of refused)
      expect([reply.status, reply.code, reply.headers['retry-after']]).toEqual([503, 'UPLOADS_BUSY', '10']);
    const batches = await merchant.call('GET', '/payout/bulk?size=200');
    expect(batches.body.data.totalRecords).toBe(20 - refused.length);
    const left = await fixture.database.pool.query('select 1 from batch_uploads');
    expect(left.rowCount).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('six lists of 27 MB at once', () => {
  const dataDir = makeDataDir();
  let service: ServiceProcess;
  beforeAll(async () => {
    // As npm start runs it.
    const env = { NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=512' };
    service = await startService({ dataDir, env });
  });
  afterAll(() => removeDataDir(dataDir, [service]));

  const residentMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) / 1024;

  /** Parsed as a whole, two at a time, they took some 250 MB more than nothing. */
  const MAX_MORE_MB = 170;

  it('take no more memory than a few of their rows', async () => {
    const { secretKey } = readDemo(dataDir);
    const body = listOf(5_000, 27 * MEGABYTE);
    const before = residentMb();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, residentMb())), 20);
    const one = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${secretKey}`,
          'content-type': 'application/json',
          'content-length': body.length,
        };
        const sent = request(`${service.baseUrl}/payout/bulk`, { method: 'POST', headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        });
        sent.on('error', reject);
        sent.end(body);
      });
    const statuses = await Promise.all(Array.from({ length: 6 }, one));
    clearInterval(watch);
    expect(statuses).toEqual(new Array(6).fill(200));
    expect(most - before).toBeLessThan(MAX_MORE_MB);
  });
});
