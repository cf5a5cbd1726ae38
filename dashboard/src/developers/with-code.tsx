/** A sentence of the API document: what stands between backticks is code. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key, and never move.
      <code key={at} className="text-xs">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
