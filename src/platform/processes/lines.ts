import type { Socket } from 'node:net';

/** Calls `see` with each line that arrives, without its end. */
export function createLineReader(socket: Socket, see: (line: string) => void): void {
  let begun = '';
  socket.setEncoding('latin1').on('data', (text: unknown) => {
    const lines = String(text).split('\n');
    lines[0] = begun + (lines[0] ?? '');
    begun = lines.pop() ?? '';
    for (const line of lines) see(line);
  });
}

/**
 * Writes lines of JSON text, which contain no line break. What is written in one turn of the event loop is sent
 * together.
 */
export function createLineWriter(socket: Socket): (line: string) => void {
  let gathered = '';
  const send = () => {
    if (!socket.destroyed) socket.write(gathered, 'latin1');
    gathered = '';
  };
  return (line) => {
    if (gathered === '') setImmediate(send);
    gathered += `${withBytesOnly(line)}\n`;
  };
}

const NO_BYTE = /[\u0080-\uffff]/g;

/**
 * The same JSON with one byte for each character: as UTF-8, a single naira sign makes the whole text twice as costly to
 * send and read.
 */
function withBytesOnly(json: string): string {
  return json.replace(NO_BYTE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
