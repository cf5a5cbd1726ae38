import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * The service, started again at every change of its sources, and the pages with hot reload, both on PORT. Vite answers for
 * the pages and hands everything else to the service, which listens on a port of its own: so the service has nothing of
 * development in it, and its content policy stays as strict as it is served.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const port = Number(process.env['PORT'] ?? 3000);
const host = '127.0.0.1';
const outside = `http://${host}:${port}`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

const inner = await freePort();
const inside = `http://${host}:${inner}`;
process.env['SERVICE'] = inside;
const { createServer: createVite } = await import('vite');
const vite = await createVite({
  configFile: fileURLToPath(new URL('../dashboard/vite.config.ts', import.meta.url)),
  server: { host, port, strictPort: true },
});
await vite.listen();

const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/main.ts'], {
  cwd: ROOT,
  env: { PROCESSES: '1', ...process.env, PORT: String(inner), HOST: host },
  stdio: ['inherit', 'pipe', 'inherit'],
});
// Nobody but Vite calls it where it listens.
service.stdout.on('data', (bytes: Buffer) => process.stdout.write(bytes.toString().replaceAll(inside, outside)));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal));
const [code] = (await once(service, 'exit')) as [number | null];
await vite.close();
process.exitCode = code ?? 0;
