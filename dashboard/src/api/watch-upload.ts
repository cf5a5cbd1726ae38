/** Told as bytes go; `total` is undefined where nobody knows it. */
export type Progressed = (bytes: number, total: number | undefined) => void;

/**
 * Sends a request so that its way up can be watched, which the browser's `fetch` does not show.
 * For `useAction(…, { fetch: watchUpload(…) })`.
 */
export function watchUpload(progressed: Progressed): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await request.arrayBuffer();
    return new Promise((resolve, reject) => {
      const sent = new XMLHttpRequest();
      sent.open(request.method, request.url);
      sent.responseType = 'blob';
      for (const [name, value] of request.headers) sent.setRequestHeader(name, value);
      sent.upload.addEventListener('progress', ({ loaded, total }) => progressed(loaded, total));
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
