import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { onCleanUp } from './cleanup.ts';
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
  const program = programOf(server);
  if (program === undefined) return undefined;
  await server.database(DATABASE);
  await runChild(program, [...connectionOf(server), '-i', '-q', '-s', String(scale), DATABASE], {
    timeoutMs: SPARE_MS + scale * 5_000,
  });
  return pgbenchOn(server, program, DATABASE, []);
}

/** The same program with transactions of another script, on a database that is filled already. */
export function preparePgbenchOf(server: PostgresServer, database: string, script: string): Pgbench | undefined {
  const program = programOf(server);
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'manilla-bench-script-'));
  onCleanUp(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, `${database}.sql`);
  writeFileSync(file, script);
  return pgbenchOn(server, program, database, ['-f', file]);
}

function programOf({ tools }: PostgresServer): string | undefined {
  const program = tools === undefined ? undefined : join(tools, 'pgbench');
  return program !== undefined && existsSync(program) ? program : undefined;
}

function connectionOf({ socketFolder, port }: PostgresServer): string[] {
  return ['-h', socketFolder, '-p', String(port), '-U', SUPERUSER];
}

function pgbenchOn(server: PostgresServer, program: string, database: string, script: readonly string[]): Pgbench {
  return {
    async run(clients, seconds) {
      const threads = Math.min(clients, availableParallelism());
      const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', String(threads), '-T', String(seconds)];
      const counters = { databaseCpuUs: () => serverCpu(server.pid), generatorCpuUs: endedChildrenCpu };
      const timeoutMs = seconds * 1000 + SPARE_MS;
      const { result, cpu } = await measureCpu(
        counters,
        async () =>
          resultOf(await runChild(program, [...connectionOf(server), ...load, ...script, database], { timeoutMs })),
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
