import { ApiError, connectionLost, failureOf } from './errors.ts';
import type { Mode } from './types.ts';

/** Told how many bytes have come. */
export type Came = (bytes: number) => void;

/**
 * Saves what an operation answers as a file. A plain link cannot say the mode, so the page fetches it and hands it over.
 * @throws ApiError
 */
export async function downloadFile(address: string, mode: Mode, fileName: string, came?: Came): Promise<void> {
  saveBlob(await fetchFile(address, mode, came), fileName);
}

function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The bytes of a file that only the session may see. @throws ApiError */
export async function fetchFile(address: string, mode: Mode, came?: Came): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(address, { headers: { 'X-Mode': mode }, credentials: 'same-origin' });
    if (response.ok) return await (came === undefined ? response : counted(response, came)).blob();
  } catch (error) {
    throw error instanceof ApiError ? error : connectionLost();
  }
  throw failureOf(response, await response.json().catch(() => undefined));
}

function counted(response: Response, came: Came): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      came(bytes);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter), response);
}

/** Saves a text that the page has as a file. */
export function saveText(text: string, fileName: string): void {
  saveBlob(new Blob([text], { type: 'application/json' }), fileName);
}
