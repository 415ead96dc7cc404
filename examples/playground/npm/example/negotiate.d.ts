import type { PageRequest, PageResponse } from '../index.js';

/** The package's `respond`. */
export type Respond = (page: Uint8Array, request: PageRequest) => PageResponse;

/**
 * A `fetch` handler in front of a site that knows HTML alone: Markdown for those who ask, the site's own answer for
 * everybody else. `fault` is told where `respond` fails; the client then gets the site's own page.
 */
export function negotiate(
  respond: Respond,
  site: (request: Request) => Promise<Response>,
  fault?: (error: unknown) => void,
): (request: Request) => Promise<Response>;
