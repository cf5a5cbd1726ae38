/** The part of autocannon that the bench uses; the package has no types of its own. */
declare module 'autocannon' {
  export interface Request {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
    setupRequest?(request: Request): Request;
  }
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    requests: Pick<Request, 'setupRequest'>[];
  }
  interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    duration: number;
    latency: { p50: number; p99: number };
  }
  // biome-ignore lint/style/noDefaultExport: this is what the package exports
  export default function autocannon(options: Options): Promise<Result>;
}
