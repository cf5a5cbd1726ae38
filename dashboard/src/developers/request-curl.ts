export interface CurlRequest {
  method: string;
  /** From the host on. */
  url: string;
  body: string | null;
  idempotencyKey: string | null;
}

/** A text between single quotes, as a shell takes it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request for a terminal. The key is never in it: it is read from `MANILLA_KEY`. */
export function curlOf({ method, url, body, idempotencyKey }: CurlRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    '-H "Authorization: Bearer $MANILLA_KEY"',
    ...(idempotencyKey === null ? [] : [`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** The same for a program. */
export function scriptOf({ method, url, body, idempotencyKey }: CurlRequest): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program that is shown, and has the placeholder itself.
    '    Authorization: `Bearer ${process.env.MANILLA_KEY}`,',
    ...(idempotencyKey === null ? [] : [`    'Idempotency-Key': ${JSON.stringify(idempotencyKey)},`]),
    ...(body === null ? [] : [`    'Content-Type': 'application/json',`]),
  ];
  return [
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    `  method: '${method}',`,
    '  headers: {',
    ...headers,
    '  },',
    ...(body === null ? [] : [`  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`]),
    '});',
    'console.log(answer.status, await answer.json());',
  ].join('\n');
}
