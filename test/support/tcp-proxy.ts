import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Calls `see` with what clients send; what it answers decides: passed on, or the connection cut before or after. */
  onClientData(see: (bytes: Buffer) => 'pass' | 'cut' | 'pass-then-cut'): void;
  /** From now on nothing comes through in either direction, also of new connections, and nobody is told. */
  swallow(): void;
  /** How many connections came so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Stands between a client and a server on 127.0.0.1 and loses connections on demand. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let see: (bytes: Buffer) => 'pass' | 'cut' | 'pass-then-cut' = () => 'pass';
  let connections = 0;
  let swallows = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(targetPort, '127.0.0.1');
    let silenced = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        if (!silenced) upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (swallows) return;
      const verdict = see(bytes);
      if (verdict === 'cut') client.destroy();
      if (verdict === 'pass') upstream.write(bytes);
      if (verdict === 'pass-then-cut') {
        // The server gets it and works on it; its answer comes too late for a client that is gone.
        silenced = true;
        upstream.write(bytes);
        upstream.once('data', () => {
          client.destroy();
          upstream.destroy();
        });
      }
    });
    upstream.on('data', (bytes) => {
      if (!silenced && !swallows) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    onClientData(next) {
      see = next;
    },
    swallow() {
      swallows = true;
    },
    connections: () => connections,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
