import { createHmac } from 'node:crypto';
import { Pool } from 'undici';

/**
 * Posts signed webhooks of Paystack, each about a credit of its own, in a process of its own, as fast as they are
 * answered. Prints what came of it.
 */
const [baseUrl = '', path = '', secretKey = '', connections = '1', seconds = '1', firstId = '1'] =
  process.argv.slice(2);
const pool = new Pool(baseUrl, { connections: Number(connections), pipelining: 1 });
const endsAt = performance.now() + Number(seconds) * 1_000;
const begun = performance.now();
const took: number[] = [];
let id = Number(firstId);
let refused = 0;
let broken = 0;

async function post(): Promise<void> {
  const data = { id, reference: `bench-${id}`, amount: 10_000, status: 'success', currency: 'NGN', domain: 'test' };
  id += 1;
  const body = JSON.stringify({ event: 'charge.success', data });
  const signature = createHmac('sha512', secretKey).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature };
  const at = performance.now();
  try {
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) refused += 1;
    took.push(performance.now() - at);
  } catch {
    broken += 1;
  }
}

await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < endsAt) await post();
  }),
);
const lasted = (performance.now() - begun) / 1_000;
took.sort((a, b) => a - b);
const part = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
const result = { answered: took.length, seconds: lasted, refused, broken, p50Ms: part(0.5), p99Ms: part(0.99) };
console.log(`RESULT ${JSON.stringify(result)}`);
await pool.close();
