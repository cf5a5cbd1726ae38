import { connect, createServer, type Socket } from 'node:net';

export type Verdict = 'pass' | 'cut' | 'pass-then-cut' | 'hold';

export interface TcpProxy {
  port: number;
  /**
   * Calls `see` with what clients send; what it answers decides: passed on, or the connection cut before or after. `hold`
   * cuts it, and the server hears of that only behind what was sent, which it gets by `passHeld`.
   */
  onClientData(see: (bytes: Buffer) => Verdict): void;
  /** Passes on what is held. */
  passHeld(): void;
  /** From now on nothing comes through in either direction, also of new connections, and nobody is told. */
  swallow(): void;
  /** The same of the connections that are open now, but for those that began with this word; new ones are passed on. */
  swallowOpen(but: string): void;
  /** The server hears what comes on those connections, but for their end, and nothing that it says comes back. */
  muteOpen(but: string): void;
  /** From now on what clients send comes so much later, on connections that began with this word. */
  delay(word: string, ms: number): void;
  /** How many connections came so far. */
  connections(): number;
  close(): Promise<void>;
}

interface Passed {
  /** What the client sent first: its start-up packet, with its name. */
  beginning: string;
  isSwallowed: boolean;
  isMuted: boolean;
}

function setTimeoutOrNow(ms: number, act: () => void): void {
  if (ms === 0) act();
  else setTimeout(act, ms);
}

/** What ends a transaction is answered behind the answers to what was sent with it, so that the first one says nothing yet. */
const ENDED = /COMMIT\0|ROLLBACK\0/;

/** Calls `done` once the server has answered what it was sent. */
function untilAnswered(sent: Buffer, done: () => void): (bytes: Buffer) => void {
  let answer = '';
  return (bytes) => {
    answer += bytes.toString('latin1');
    if (!sent.includes('commit\0') || ENDED.test(answer)) done();
  };
}

/** Stands between a client and a server on 127.0.0.1 and loses connections on demand. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let see: (bytes: Buffer) => Verdict = () => 'pass';
  const held: (() => void)[] = [];
  let connections = 0;
  let swallows = false;
  const open = new Set<Socket>();
  const passed = new Set<Passed>();
  let late = { word: '', ms: 0 };
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(targetPort, '127.0.0.1');
    const one: Passed = { beginning: '', isSwallowed: false, isMuted: false };
    passed.add(one);
    let silenced = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        passed.delete(one);
        client.destroy();
        if (!silenced && !one.isMuted) upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (one.beginning === '') one.beginning = bytes.toString('latin1');
      if (swallows || one.isSwallowed) return;
      const verdict = see(bytes);
      if (verdict === 'cut') client.destroy();
      const isLate = late.ms > 0 && one.beginning.includes(late.word);
      if (verdict === 'pass') setTimeoutOrNow(isLate ? late.ms : 0, () => upstream.write(bytes));
      if (verdict === 'pass-then-cut' || verdict === 'hold') {
        silenced = true;
        const send = () => {
          upstream.write(bytes);
          upstream.on(
            'data',
            untilAnswered(bytes, () => upstream.destroy()),
          );
        };
        // The server gets it and works on it; its answer comes too late for a client that is gone.
        if (verdict === 'pass-then-cut') return send();
        held.push(send);
        client.destroy();
      }
    });
    upstream.on('data', (bytes) => {
      if (!silenced && !swallows && !one.isSwallowed && !one.isMuted) client.write(bytes);
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
    passHeld() {
      for (const send of held.splice(0)) send();
    },
    swallow() {
      swallows = true;
    },
    swallowOpen(but) {
      for (const one of passed) one.isSwallowed ||= !one.beginning.includes(but);
    },
    muteOpen(but) {
      for (const one of passed) one.isMuted ||= !one.beginning.includes(but);
    },
    delay(word, ms) {
      late = { word, ms };
    },
    connections: () => connections,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
