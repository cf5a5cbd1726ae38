import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf } from '../support/service.ts';

/** Two processes, each of which gives every connection to the other after each answer: see `group-of-echoes.ts`. */
const CLIENTS = 24;
const ROUNDS = 40;
const TURNS = 4;
const STOPS = 3;
const PROGRAM = fileURLToPath(new URL('./group-of-echoes.ts', import.meta.url));

let group: ChildProcess;
let port: number;

beforeAll(startGroup);
afterAll(() => {
  group.kill('SIGKILL');
});

async function startGroup(): Promise<void> {
  group = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(group.stdout as NonNullable<typeof group.stdout>, 'data')) as [Buffer];
  port = Number(/:(\d+)/.exec(String(said))?.[1]);
}

interface Echo {
  by: number;
  at: number;
  text: string;
}

/** A client on one connection that sends bytes as it likes, and reads answers by their stated length. */
async function openClient() {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  const answers: Echo[] = [];
  let rest = Buffer.alloc(0);
  let ended = false;
  let last = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    ended = true;
  });
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let one = takeAnswer(rest); one !== undefined; one = takeAnswer(rest)) {
      answers.push(one.answer);
      last = one.isLast;
      rest = rest.subarray(one.length);
    }
  });
  return { socket, answers, hasEnded: () => ended, hasLast: () => last };
}

function takeAnswer(bytes: Buffer): { answer: Echo; isLast: boolean; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  const length = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
  if (bytes.length < length) return undefined;
  const answer = JSON.parse(bytes.toString('utf8', end + 4, length));
  return { answer, isLast: /^connection: close\r?$/im.test(head), length };
}

function requestOf(at: number, text: string, waitMs: number): Buffer {
  const body = JSON.stringify({ at, text, waitMs });
  const head = `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return Buffer.from(`${head}\r\n\r\n${body}`);
}

const HEAD = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json';
const SMUGGLED = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';

const bytesOf = (body: string, ...fields: string[]): Buffer =>
  Buffer.from(`${[HEAD, ...fields, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);

const chunkedOf = (body: string): Buffer =>
  Buffer.from(
    `${HEAD}\r\nTransfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );

const inTwo = (bytes: Buffer, at: number): Buffer[] => [bytes.subarray(0, at), bytes.subarray(at)];

/** Some requests that are sent together, cut somewhere, with a pause. */
const round = fc.record({
  requests: fc.array(fc.record({ text: fc.string({ maxLength: 400, unit: 'grapheme' }), waitMs: fc.nat(3) }), {
    minLength: 1,
    maxLength: 3,
  }),
  cutAt: fc.double({ min: 0, max: 1, noNaN: true }),
  pauseMs: fc.nat(4),
});
type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

/** A patient client cuts no head: Node reads what it does not get at once, and its connection stays where it is. */
async function send(socket: Socket, from: number, { requests, cutAt, pauseMs }: Round, patient: boolean) {
  const bytes = Buffer.concat(requests.map(({ text, waitMs }, at) => requestOf(from + at, text, waitMs)));
  const cuttable = patient ? bytes.length - bytes.lastIndexOf('\r\n\r\n') - 4 : bytes.length;
  const cut = bytes.length - Math.floor(cuttable * cutAt);
  socket.write(bytes.subarray(0, cut));
  if (pauseMs > 0) await sleep(pauseMs);
  socket.write(bytes.subarray(cut));
}

describe('a connection that moves from one process to another', () => {
  it('has each request answered once, in order, whatever was on its way', { timeout: 60_000 }, async () => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, openClient));
    await Promise.all(
      clients.map(async ({ socket, answers }, client) => {
        const sent: string[] = [];
        const patient = client % 2 === 0;
        for (const each of fc.sample(round, { numRuns: ROUNDS, seed: client })) {
          await send(socket, sent.length, each, patient);
          sent.push(...each.requests.map(({ text }) => text));
          if (patient) await expect.poll(() => answers.length, { interval: 1 }).toBe(sent.length);
        }
        await expect.poll(() => answers.length).toBe(sent.length);
        expect(answers.map(({ at, text }) => ({ at, text }))).toEqual(sent.map((text, at) => ({ at, text })));
        const moves = answers.filter(({ by }, at) => at > 0 && by !== answers[at - 1]?.by).length;
        if (patient) expect(moves).toBeGreaterThan(ROUNDS / 2);
      }),
    );
    expect(clients.filter(({ hasEnded }) => hasEnded())).toEqual([]);
    for (const { socket } of clients) socket.destroy();
  });

  it.each([
    ['ends the connection', (body: string) => [bytesOf(body, 'Connection: close')]],
    ['has a field of the connection', (body: string) => [bytesOf(body, 'TE: trailers')]],
    ['comes with a head in two parts', (body: string) => inTwo(bytesOf(body), 30)],
    ['comes with a head in two parts that are nearly whole', (body: string) => inTwo(bytesOf(body), 80)],
    ['has a body in chunks, which looks like another request', (body: string) => inTwo(chunkedOf(body), 120)],
  ])('stays where its next request %s: Node reads that, and all that follows', { timeout: 60_000 }, async (_, make) => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const clients = await Promise.all(Array.from({ length: CLIENTS }, openClient));
      await Promise.all(
        clients.map(async ({ socket, answers }) => {
          socket.write(requestOf(0, 'plain', 0));
          await expect.poll(() => answers.length, { interval: 1 }).toBe(1);
          for (const part of make(JSON.stringify({ at: 1, text: SMUGGLED, waitMs: 0 }))) {
            socket.write(part);
            await sleep(2);
          }
          await expect.poll(() => answers.length, { interval: 1, timeout: 5_000 }).toBe(2);
          expect(answers[1]).toMatchObject({ at: 1, text: SMUGGLED });
        }),
      );
      for (const { socket } of clients) socket.destroy();
    }
  });

  it('is counted by the process that has it, and by no other', async () => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, openClient));
    for (const { socket, answers } of clients) {
      socket.write(requestOf(0, 'one', 0));
      await expect.poll(() => answers.length, { interval: 1 }).toBe(1);
    }
    await expect.poll(openInAll).toBe(CLIENTS);
    for (const { socket } of clients) socket.destroy();
    await expect.poll(openInAll).toBe(0);
  });

  it('ends where the process that should have it is killed, so that nobody waits for ever', {
    timeout: 60_000,
  }, async () => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, openClient));
    const asking = clients.map((client) => askOnAndOn(client, 1_500));
    await sleep(500);
    const [victim] = childrenOf(group.pid as number);
    process.kill(victim as number, 'SIGKILL');
    await Promise.all(asking);
    expect(clients.some(({ hasEnded }) => hasEnded())).toBe(true);
    for (const { socket } of clients) socket.destroy();
    await expect.poll(() => childrenOf(group.pid as number).length).toBe(2);
  });

  it('is answered whatever is asked until its last answer, when the group stops', { timeout: 60_000 }, async () => {
    for (let stops = 0; stops < STOPS; stops += 1) {
      const clients = await Promise.all(Array.from({ length: CLIENTS }, openClient));
      const asking = clients.map((client) => askOnAndOn(client, 20_000));
      // What the system has accepted and no process has taken in yet is cut when they stop listening.
      await expect.poll(() => clients.every(({ answers }) => answers.length > 0), { interval: 1 }).toBe(true);
      await sleep(300);
      group.kill('SIGTERM');
      expect(await once(group, 'exit')).toEqual([0, null]);
      expect(await Promise.all(asking)).toEqual(clients.map(() => 'ALL_ANSWERED'));
      await startGroup();
    }
  });

  it('leaves no process behind when the supervisor is killed with connections on their way', async () => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, openClient));
    const left = childrenOf(group.pid as number);
    const asking = clients.map((client) => askOnAndOn(client, 1_000));
    await sleep(500);
    group.kill('SIGKILL');
    await Promise.all(asking);
    await expect.poll(() => left.filter(isAlive)).toEqual([]);
  });
});

type Client = Awaited<ReturnType<typeof openClient>>;

/** One request after the other, until the time is over, an answer is the last one, or the connection ends. */
async function askOnAndOn(client: Client, forMs: number): Promise<'ALL_ANSWERED' | 'UNANSWERED'> {
  const { socket, answers, hasEnded, hasLast } = client;
  const until = performance.now() + forMs;
  for (let at = 0; performance.now() < until && !hasEnded() && !hasLast(); at += 1) {
    socket.write(requestOf(at, 'x', 0));
    await expect.poll(() => hasEnded() || answers.length > at, { interval: 1, timeout: 10_000 }).toBe(true);
    if (answers.length === at) return 'UNANSWERED';
  }
  return 'ALL_ANSWERED';
}

/** Of both processes, but for those by which they are asked. */
async function openInAll(): Promise<number> {
  const counts = new Map<number, number>();
  while (counts.size < 2) {
    const answer = await fetch(`http://127.0.0.1:${port}/connections`, { headers: { connection: 'close' } });
    const { by, open } = (await answer.json()) as { by: number; open: number };
    counts.set(by, open - 1);
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
