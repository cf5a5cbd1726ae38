import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { endedChildrenCpu, serverCpu } from './cpu.ts';
import { type PostgresServer, SUPERUSER } from './postgres.ts';
import { measureCpu, type Run } from './run.ts';

const DATABASE = 'pgbench';
const SPARE_MS = 60_000;

export interface Pgbench {
  /** TPC-B-like transactions of so many clients at once, with prepared statements. */
  run(clients: number, seconds: number): Promise<Run>;
}

/** PostgreSQL's own benchmark on our server; undefined where its client tools are not installed. */
export async function preparePgbench(server: PostgresServer, scale: number): Promise<Pgbench | undefined> {
  if (server.tools === undefined || !existsSync(join(server.tools, 'pgbench'))) return undefined;
  const program = join(server.tools, 'pgbench');
  await server.database(DATABASE);
  const connection = ['-h', server.socketFolder, '-p', String(server.port), '-U', SUPERUSER];
  await runChild(program, [...connection, '-i', '-q', '-s', String(scale), DATABASE], {
    timeoutMs: SPARE_MS + scale * 5_000,
  });
  return {
    async run(clients, seconds) {
      const threads = Math.min(clients, availableParallelism());
      const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', String(threads), '-T', String(seconds)];
      const counters = { databaseCpuUs: () => serverCpu(server.pid), generatorCpuUs: endedChildrenCpu };
      const timeoutMs = seconds * 1000 + SPARE_MS;
      const { result, cpu } = await measureCpu(
        counters,
        async () => resultOf(await runChild(program, [...connection, ...load, DATABASE], { timeoutMs })),
        ({ transactions }) => transactions,
      );
      return { rate: result.rate, ...cpu };
    },
  };
}

function resultOf(output: string): { rate: number; transactions: number } {
  const rate = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  const transactions = Number(/transactions actually processed: (\d+)/.exec(output)?.[1]);
  if (!(rate > 0 && transactions > 0)) throw new Error(`pgbench gave no rate:\n${output}`);
  return { rate, transactions };
}
