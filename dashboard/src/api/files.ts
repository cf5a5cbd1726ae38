import { withPerson } from './call.ts';
import { ApiError, connectionLost, failureOf } from './errors.ts';
import { supportHeaders } from './support-view.ts';
import type { Mode } from './types.ts';

/** Called with the bytes received so far. */
export type OnBytes = (bytes: number) => void;

/**
 * Saves what an operation answers as a file. A plain link cannot say the mode, so the page fetches it and hands it over.
 * @throws ApiError
 */
export async function downloadFile(address: string, mode: Mode, fileName: string, onBytes?: OnBytes): Promise<void> {
  saveBlob(await fetchFile(address, mode, onBytes), fileName);
}

function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Whether the service gives a file, or refuses that for what is in it (422), without fetching it. @throws ApiError */
export async function isGiven(address: string, mode: Mode): Promise<boolean> {
  const options = { method: 'HEAD', headers: { 'X-Mode': mode }, credentials: 'same-origin' } as const;
  const answer = await fetch(address, options).catch(() => {
    throw connectionLost('get');
  });
  if (!answer.ok && answer.status !== 422) throw failureOf(answer, undefined);
  return answer.ok;
}

/** The bytes of a file that only the session may see. @throws ApiError */
export function fetchFile(address: string, mode: Mode, onBytes?: OnBytes): Promise<Blob> {
  return withPerson(() => fetchOnce(address, mode, onBytes));
}

async function fetchOnce(address: string, mode: Mode, onBytes?: OnBytes): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(address, { headers: { 'X-Mode': mode, ...supportHeaders }, credentials: 'same-origin' });
    if (response.ok) return await (onBytes === undefined ? response : counted(response, onBytes)).blob();
  } catch (error) {
    throw error instanceof ApiError ? error : connectionLost('get');
  }
  throw failureOf(response, await response.json().catch(() => undefined));
}

function counted(response: Response, onBytes: OnBytes): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter), response);
}

/** Saves a text that the page has as a file. */
export function saveText(text: string, fileName: string): void {
  saveBlob(new Blob([text], { type: 'application/json' }), fileName);
}

/** Called with the bytes sent so far; `total` is undefined where nobody knows it. */
export type OnProgress = (bytes: number, total: number | undefined) => void;

/**
 * Sends a request so that its way up can be watched, which the browser's `fetch` does not show.
 * For `useAction(…, { fetch: watchUpload(…) })`.
 */
export function watchUpload(onProgress: OnProgress): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await request.arrayBuffer();
    return new Promise((resolve, reject) => {
      const sent = new XMLHttpRequest();
      sent.open(request.method, request.url);
      sent.responseType = 'blob';
      for (const [name, value] of request.headers) sent.setRequestHeader(name, value);
      sent.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
      sent.addEventListener('load', () => resolve(responseOf(sent)));
      for (const end of ['error', 'abort', 'timeout']) {
        sent.addEventListener(end, () => reject(new TypeError('The connection was lost.')));
      }
      request.signal.addEventListener('abort', () => sent.abort());
      sent.send(body);
    });
  };
}

function responseOf(sent: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of sent.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return new Response(sent.response as Blob, { status: sent.status, statusText: sent.statusText, headers });
}
