import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { TestPerson } from '../support/people.ts';

/** A message as a page hears it. */
export interface Heard {
  event: string;
  id: string | undefined;
  data: { topics?: string[]; reason?: string };
}

export interface Listener {
  status: number;
  headers: IncomingHttpHeaders;
  /** The next message, signs of life left out; undefined once the stream is over. */
  next(): Promise<Heard | undefined>;
  close(): void;
}

/** A page that listens, over a connection of its own that nobody else uses before or after it. */
export async function listen(
  baseUrl: string,
  person: Pick<TestPerson, 'cookie'> | undefined,
  { mode = 'SANDBOX', lastEventId }: { mode?: string; lastEventId?: string } = {},
): Promise<Listener> {
  const request = get(`${baseUrl}/stream`, {
    agent: false,
    headers: {
      'x-mode': mode,
      ...(person === undefined ? {} : { cookie: person.cookie() }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  // It is let go while something may still be on its way.
  answer.on('error', () => undefined);
  const chunks = answer.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = '';
  async function next(): Promise<Heard | undefined> {
    for (;;) {
      const at = text.indexOf('\n\n');
      if (at >= 0) {
        const message = text.slice(0, at);
        text = text.slice(at + 2);
        if (!message.startsWith(':')) return parse(message);
        continue;
      }
      const { done, value } = await chunks.next();
      if (done === true) return undefined;
      text += value;
    }
  }
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    next,
    close: () => {
      request.destroy();
    },
  };
}

function parse(message: string): Heard {
  const field = (name: string) =>
    message
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { event: field('event') ?? '', id: field('id'), data: JSON.parse(field('data') ?? '{}') };
}
