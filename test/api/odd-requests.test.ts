import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { createCallers } from '../support/callers.ts';
import { allOperationsOf, type Operation, refusalFaults, sampleRequest } from '../support/operations.ts';

/**
 * Bodies that are not there, and bodies that are not what they are called: every operation, by somebody who may call it,
 * over a real connection. Whatever the answer is, it is no defect of ours, and a refusal says what is wrong.
 */
const t = await createTestApp();
const callers = createCallers(t);
const operations = allOperationsOf(t.app).filter(({ method }) => method !== 'GET');
let port: number;
beforeAll(async () => {
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  port = (t.app.server.server.address() as { port: number }).port;
});
afterAll(() => t.close());

interface Odd {
  label: string;
  headers: Record<string, string>;
  body: string;
  /** What every operation that takes a body says to it. */
  status?: number;
  /** There is no body: operations that need no field are not refused. */
  isNothing?: true;
}

const chunked = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const json = 'application/json';

const ODD: readonly Odd[] = [
  { label: 'no body', headers: {}, body: '', status: 400, isNothing: true },
  { label: 'no body, and says so', headers: { 'content-length': '0' }, body: '', status: 400, isNothing: true },
  {
    label: 'an empty body of JSON',
    headers: { 'content-type': json, 'content-length': '0' },
    body: '',
    status: 400,
    isNothing: true,
  },
  { label: 'a type of JSON alone', headers: { 'content-type': json }, body: '', status: 400, isNothing: true },
  { label: 'a type of forms alone', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '' },
  {
    label: 'an empty form',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '0' },
    body: '',
  },
  { label: 'a body without a type', headers: { 'content-length': '2' }, body: '{}', status: 415 },
  { label: 'text', headers: { 'content-type': 'text/plain', 'content-length': '2' }, body: '{}', status: 415 },
  { label: 'XML', headers: { 'content-type': 'application/xml', 'content-length': '4' }, body: '<a/>', status: 415 },
  { label: 'nonsense for a type', headers: { 'content-type': ';;;', 'content-length': '2' }, body: '{}', status: 415 },
  {
    label: 'JSON in UTF-16',
    headers: { 'content-type': `${json}; charset=utf-16`, 'content-length': '2' },
    body: '{}',
    status: 415,
  },
  {
    label: 'bytes in no charset',
    headers: { 'content-type': json, 'content-length': '4' },
    body: '{"\xff"',
    status: 400,
  },
  {
    label: 'a form without a border',
    headers: { 'content-type': 'multipart/form-data', 'content-length': '2' },
    body: '{}',
  },
  {
    label: 'a form that breaks off',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '5' },
    body: '--x\r\n',
  },
  { label: 'chunks', headers: { 'content-type': json, 'transfer-encoding': 'chunked' }, body: chunked('{"nobody":1}') },
  {
    label: 'no chunks',
    headers: { 'content-type': json, 'transfer-encoding': 'chunked' },
    body: '0\r\n\r\n',
    status: 400,
    isNothing: true,
  },
  {
    label: 'half a chunk',
    headers: { 'content-type': json, 'transfer-encoding': 'chunked' },
    body: 'zz\r\n',
    status: 400,
  },
  {
    label: 'compressed JSON',
    headers: { 'content-type': json, 'content-encoding': 'gzip', 'content-length': '2' },
    body: '\x1f\x8b',
    status: 415,
  },
];

/** On a connection that may go on, as most do: what asks for its end is read by Node (`fast-path.ts`). */
async function exchange(head: string, body: string): Promise<{ status: number; body: unknown }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(Buffer.concat([Buffer.from(head), Buffer.from(body, 'latin1')]));
  let answer = '';
  for await (const part of socket.setEncoding('latin1')) {
    answer += part;
    if (isWhole(answer)) break;
  }
  const [status = ''] = answer.split('\r\n');
  const content = Buffer.from(contentOf(answer), 'latin1').toString();
  const found = content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1);
  return { status: Number(status.split(' ')[1]), body: found === '' ? undefined : JSON.parse(found) };
}

const contentOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);

/** Others end with their connection. */
function isWhole(answer: string): boolean {
  if (!answer.includes('\r\n\r\n')) return false;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1];
  if (length === undefined) return answer.endsWith('\r\n0\r\n\r\n') || answer.startsWith('HTTP/1.1 204');
  return contentOf(answer).length >= Number(length);
}

/** The codes that the document lists for a refusal; none for what only people use. */
function codesOf({ responses }: Operation, status: number): unknown[] {
  const [, own] = responses[status]?.content?.['application/json']?.schema.allOf ?? [];
  return own?.properties?.['code']?.enum ?? [];
}

describe('a request whose body is odd', () => {
  it.each(operations)('is no defect of $name, and is refused in words', async (operation) => {
    const { method, url } = sampleRequest(operation, {});
    const wrong: string[] = [];
    let as = await callers.headersFor(operation);
    for (const { label, headers, body, status, isNothing } of ODD) {
      const all = { host: 'localhost', ...as, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const answer = await exchange(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, body);
      // What was carried out may have ended the session.
      if (answer.status < 400) as = await callers.headersFor(operation);
      const faults = answer.status >= 400 ? refusalFaults(answer.body) : [];
      const listed = codesOf(operation, answer.status);
      const code = (answer.body as { code?: string } | undefined)?.code;
      if (code !== undefined && listed.length > 0 && !listed.includes(code)) faults.push(`${code} is not documented`);
      const isRefused = operation.body !== undefined && (!isNothing || operation.needsBody);
      const isAsSaid = !isRefused || status === undefined || answer.status === status;
      if (!(answer.status < 500) || faults.length > 0 || !isAsSaid)
        wrong.push(`${label}: ${answer.status} ${JSON.stringify(answer.body)} ${faults.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  });

  it('without any field is told so in one sentence by all that need one', async () => {
    const said: [name: string, message: string][] = [];
    for (const operation of operations.filter(({ method }) => method === 'PATCH')) {
      const { url } = sampleRequest(operation, {});
      const { body } = await t.call('PATCH', url, {}, await callers.headersFor(operation));
      for (const { field, message } of body.errors ?? []) if (field === 'body') said.push([operation.name, message]);
    }
    expect(said.length).toBeGreaterThan(2);
    expect(said.filter(([, message]) => message !== 'must have at least one field to change')).toEqual([]);
  });

  it('moves nothing where it came for a list of payouts', async () => {
    const batches = await t.call('GET', '/payout/bulk');
    expect(batches.body.data.totalRecords).toBe(0);
  });
});
