import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { generator } from './http-load.ts';
import type { PostgresServer } from './postgres.ts';

export interface Machine {
  cores: number;
  processor: string;
  memoryGb: number;
  system: string;
  node: string;
  postgres: string;
  settings: Record<string, string>;
  generator: string;
  /** Of one minute, before the run: other work on the machine is in the figures. */
  loadBefore: number;
}

export function describeMachine(server: PostgresServer): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()} ${arch()}`,
    node: process.version,
    postgres: `${server.version} (${server.kind === 'debian' ? 'Debian package' : server.kind})`,
    settings: server.settings,
    generator,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}
