import { randomInt } from 'node:crypto';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { runChild } from './child.ts';
import type { Payer } from './seed.ts';

/** Past the end of a run; a generator that takes longer hangs. */
const SPARE_MS = 30_000;

export interface HttpResult {
  answered: number;
  seconds: number;
  /** Answers that were no success. */
  refused: number;
  /** Connections that failed and requests without an answer. */
  broken: number;
  p50Ms: number;
  p99Ms: number;
}

export interface HttpLoad {
  baseUrl: string;
  targetsFile: string;
  connections: number;
  seconds: number;
}

/** One kind of request; `body` is JSON text. */
export interface Target {
  method: 'GET' | 'POST';
  path: string;
  key?: string;
  body?: string;
}

export function writeTargets(folder: string, name: string, targets: readonly Target[]): string {
  const file = join(folder, `${name}.targets`);
  const lines = targets.map(({ method, path, key, body }) => `${method} ${path} ${key ?? '-'} ${body ?? '-'}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  return file;
}

const LINE = /^(GET|POST) (\S+) (\S+) (.+)$/;

export function readTargets(file: string): Target[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, method = '', path = '', key = '', body = ''] = LINE.exec(line) ?? [];
    return { method: method as Target['method'], path, key, body };
  });
}

/** A debit of each store of each payer. */
export function debitTargets(payers: readonly Payer[]): Target[] {
  return payers.flatMap(({ key, pin, storeIds }) =>
    storeIds.map((storeId): Target => {
      const body = JSON.stringify({ pin, amount: 1.5, storeId, narration: 'Weekly sweep' });
      return { method: 'POST', path: '/branch/store/debit', key, body };
    }),
  );
}

/** A payment session of each payer, as a shop's server opens it. */
export function sessionTargets(payers: readonly Payer[]): Target[] {
  const customer = { name: 'Ada Obi', email: 'ada@shop.example' };
  const body = JSON.stringify({ amount: 1_500.5, customer, description: 'Order 1007' });
  return payers.map(({ key }): Target => ({ method: 'POST', path: '/collection/session', key, body }));
}

const wrk = findOnPath('wrk');

/** Which program makes the requests on this machine. */
export const generator = wrk === undefined ? 'autocannon' : 'wrk';

function findOnPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Sends requests as fast as they are answered, from a process of its own. */
export async function runHttpLoad(load: HttpLoad): Promise<HttpResult> {
  const timeoutMs = load.seconds * 1000 + SPARE_MS;
  const output =
    wrk === undefined
      ? await runChild(process.execPath, autocannonArguments(load), { timeoutMs })
      : await runChild(wrk, wrkArguments(load), { timeoutMs });
  const found = /^RESULT (.+)$/m.exec(output)?.[1];
  if (found === undefined) throw new Error(`the load generator said nothing of a result:\n${output}`);
  return JSON.parse(found) as HttpResult;
}

function wrkArguments({ baseUrl, targetsFile, connections, seconds }: HttpLoad): string[] {
  // The generator is not what is measured: a thread of it takes a core from whoever is.
  const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 4)));
  return [
    ...[`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--latency'],
    ...['-s', join(import.meta.dirname, 'http-load.lua'), baseUrl, '--', targetsFile, String(randomInt(2 ** 31))],
  ];
}

function autocannonArguments({ baseUrl, targetsFile, connections, seconds }: HttpLoad): string[] {
  const script = join(import.meta.dirname, 'autocannon-load.ts');
  return [script, baseUrl, targetsFile, String(connections), String(seconds)];
}
