import { afterEach, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/webhooks/connection.ts';
import { startReceiver } from './receiver.ts';

const CALL = { 'content-type': 'application/json' };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe('a connection', () => {
  it('that comes too late for one call is there for the next one, and what was given up is not sent', async () => {
    const receiver = await startReceiver();
    const found = Promise.withResolvers<string[]>();
    const connection = openConnection(`http://shop.example.com:${receiver.port}/`, {
      mode: 'SANDBOX',
      allowLoopback: true,
      timeoutMs: 2_000,
      resolve: () => found.promise,
    });
    closing.push(
      () => connection.close(),
      () => void receiver.close(),
    );
    expect(await connection.post('{"sequence":1}', CALL)).toMatchObject({ error: 'No answer within 2 seconds.' });
    const next = connection.post('{"sequence":2}', CALL);
    found.resolve(['127.0.0.1']);
    expect(await next).toMatchObject({ statusCode: 200, error: null });
    expect(receiver.sequences()).toEqual([2]);
    expect(receiver.connections()).toBe(1);
  });
});
