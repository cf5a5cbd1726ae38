import type { TestPerson } from '../support/people.ts';

/** A message as a page hears it. */
export interface Heard {
  event: string;
  id: string | undefined;
  data: { topics?: string[]; reason?: string };
}

export interface Listener {
  status: number;
  headers: Headers;
  /** The next message, signs of life left out; undefined once the stream is over. */
  next(): Promise<Heard | undefined>;
  close(): void;
}

/** A page that listens, over a connection of its own. */
export async function listen(
  baseUrl: string,
  person: Pick<TestPerson, 'cookie'>,
  { mode = 'SANDBOX', lastEventId }: { mode?: string; lastEventId?: string } = {},
): Promise<Listener> {
  const line = new AbortController();
  const answer = await fetch(`${baseUrl}/stream`, {
    headers: {
      cookie: person.cookie(),
      'x-mode': mode,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: line.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
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
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return undefined;
      text += value;
    }
  }
  return { status: answer.status, headers: answer.headers, next, close: () => line.abort() };
}

function parse(message: string): Heard {
  const field = (name: string) =>
    message
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { event: field('event') ?? '', id: field('id'), data: JSON.parse(field('data') ?? '{}') };
}
