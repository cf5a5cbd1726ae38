/** Fields of an address that say where somebody looked. What is not named here keeps its name and loses its value. */
const SHOWN: ReadonlySet<string> = new Set([
  ...[
    'page',
    'size',
    'status',
    'category',
    'from',
    'to',
    'after',
    'before',
    'limit',
    'type',
    'format',
    'isValid',
    'kind',
  ],
  ...['batchReference', 'mode', 'invalidOnly'],
]);
const MAX_LENGTH = 300;

/** The address of a request, fit to be kept: no value that might be a secret. */
export function shownUrl(url: string): string {
  const [path = '', query] = url.split('?', 2);
  if (query === undefined || query === '') return path.slice(0, MAX_LENGTH);
  const fields = query.split('&').map((field) => {
    const [name = ''] = field.split('=', 1);
    return SHOWN.has(name) ? field : `${name}=…`;
  });
  return `${path}?${fields.join('&')}`.slice(0, MAX_LENGTH).toWellFormed();
}
