import { unavailable } from '../platform/errors.ts';

/** @throws AppError `SERVICE_UNAVAILABLE` when a database that neither answers nor refuses has had its time. */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('The database did not answer in time. Please try again.')), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
