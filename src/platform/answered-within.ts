/** What `work` comes to, or what `late` gives or throws where that takes longer than `ms`. The work itself goes on. */
export async function answeredWithin<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
