import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { startChild } from './child.ts';
import { runHttpLoad } from './http-load.ts';
import type { Run } from './run.ts';
import { type Payer, patch } from './seed.ts';
import { ROOT, type Service, startWorker } from './service.ts';
import type { Tally } from './stage.ts';

const START_TIMEOUT_MS = 30_000;
/** Of the debits that make events. */
const CONNECTIONS = 64;
const POLL_MS = 100;
const DELIVERY_TIMEOUT_MS = 10 * 60_000;
/** Debits a second that any machine manages; it only decides how long events are made. */
const SLOW_RATE = 2_000;

interface Seen {
  received: number;
  outOfOrder: number;
  underOtherIds: number;
}

export interface WebhookScene {
  databaseUrl: string;
  /** The API alone: nothing is delivered until a worker starts. */
  service: Service;
  payer: Payer;
  targetsFile: string;
  events: number;
}

/**
 * Makes events while nobody delivers, starts one worker, and measures until the receiver has every one. Beside it, what
 * the same receiver takes from a client that only posts, one after the other.
 * @returns the debits that made the events, too
 */
export async function runWebhooks(scene: WebhookScene): Promise<{ runs: Record<string, Run>; debits: Tally }> {
  const receiver = await startReceiver();
  try {
    const bare = await postBare(receiver.baseUrl, Math.min(scene.events, 10_000));
    await receiver.stop();
    const target = await startReceiver();
    await patch(scene.service.baseUrl, scene.payer.key, '/merchant/info', {
      sandboxWebhookURL: `${target.baseUrl}/hook`,
    });
    const debits = await makeEvents(scene);
    const run = await deliver(scene, target.baseUrl);
    await target.stop();
    return { runs: { webhooks: run, 'bare-posts': bare }, debits };
  } finally {
    await receiver.stop();
  }
}

async function startReceiver(answerMs = 0): Promise<Service> {
  const child = await startChild(process.execPath, ['bench/webhook-receiver.ts', String(answerMs)], {
    cwd: ROOT,
    ready: /is up at (http:\S+)/,
    timeoutMs: START_TIMEOUT_MS,
  });
  return { baseUrl: child.ready[1] ?? '', pid: child.pid, stop: child.stop };
}

/**
 * The same to a receiver that takes its time for each answer, as over the internet: in order, or several calls at once.
 */
export async function runSlowReceiver(
  scene: WebhookScene,
  { ordered, answerMs }: { ordered: boolean; answerMs: number },
): Promise<{ run: Run; debits: Tally }> {
  const receiver = await startReceiver(answerMs);
  const { baseUrl } = scene.service;
  try {
    await patch(baseUrl, scene.payer.key, '/merchant/info', { sandboxWebhookURL: `${receiver.baseUrl}/hook` });
    await patch(baseUrl, scene.payer.key, '/webhook/endpoint', { ordered });
    const debits = await makeEvents(scene);
    const run = await deliver(scene, receiver.baseUrl, { ordered });
    await patch(baseUrl, scene.payer.key, '/merchant/info', { sandboxWebhookURL: '' });
    return { run, debits };
  } finally {
    await receiver.stop();
  }
}

/** Store debits until there are enough: each makes one event. */
async function makeEvents({ service, targetsFile, events }: WebhookScene): Promise<Tally> {
  const debits = { acknowledged: 0, cutOff: 0 };
  while (debits.acknowledged < events) {
    const seconds = Math.max(1, Math.ceil((events - debits.acknowledged) / SLOW_RATE / 2));
    const { answered, refused, broken } = await runHttpLoad({
      baseUrl: service.baseUrl,
      connections: CONNECTIONS,
      targetsFile,
      seconds,
    });
    if (refused + broken > 0) throw new Error(`of ${answered} debits ${refused} were refused and ${broken} were lost`);
    debits.acknowledged += answered;
    debits.cutOff += CONNECTIONS;
  }
  return debits;
}

/**
 * The rate is that from the first event on, as the bare posts are counted; the seconds are those from the start of the
 * worker's process, which has to find the work, too.
 */
async function deliver({ databaseUrl, events }: WebhookScene, baseUrl: string, { ordered = true } = {}): Promise<Run> {
  const started = performance.now();
  let from = { at: started, received: 0 };
  const worker = await startWorker(databaseUrl, { WEBHOOK_ALLOW_LOOPBACK: 'true' });
  try {
    const deadline = started + DELIVERY_TIMEOUT_MS;
    for (;;) {
      const { received, outOfOrder, underOtherIds } = (await (await fetch(baseUrl)).json()) as Seen;
      if ((ordered && outOfOrder > 0) || underOtherIds > 0)
        throw new Error(`wrong deliveries: ${outOfOrder} out of order, ${underOtherIds} under another id`);
      const now = performance.now();
      if (received >= events) {
        return { rate: (received - from.received) / ((now - from.at) / 1000), seconds: (now - started) / 1000 };
      }
      if (received > 0 && from.received === 0) from = { at: now, received };
      if (now > deadline) throw new Error(`only ${received} of ${events} were delivered`);
      await sleep(POLL_MS);
    }
  } finally {
    await worker.stop();
  }
}

/** One request after the other on one connection, with a body of the same size, signed by nobody and kept nowhere. */
async function postBare(baseUrl: string, requests: number): Promise<Run> {
  const client = new Client(baseUrl);
  const begun = performance.now();
  for (let sequence = 1; sequence <= requests; sequence += 1) {
    const { body } = await client.request({
      method: 'POST',
      path: '/hook',
      headers: { 'content-type': 'application/json', 'webhook-id': String(sequence) },
      body: JSON.stringify({ sequence, data: 'x'.repeat(1_200) }),
    });
    await body.dump();
  }
  const seconds = (performance.now() - begun) / 1000;
  await client.close();
  return { rate: requests / seconds, seconds };
}
