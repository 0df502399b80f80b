import type { GivenHeader } from './headers.ts';

/** How requests reach the target, beside its URL. Plain data. */
export interface Route {
  /** Sent with every request. */
  readonly headers: readonly GivenHeader[];
}

/** The route to the embedded service: nothing between. */
export const direct: Route = { headers: [] };

/** A text that must be in no output, and what stands for it. */
export interface Secret {
  readonly text: string;
  readonly label: string;
}

/** The secrets of a target that the user has given. */
export const secretsOf = ({
  apiKey,
  route,
}: {
  readonly apiKey?: string | undefined;
  readonly route: Route;
}): Secret[] => [
  ...(apiKey === undefined ? [] : [{ text: apiKey, label: 'key' }]),
  ...route.headers.flatMap(({ parts }) =>
    parts.flatMap(({ text, variable }) => (variable === undefined ? [] : [{ text, label: variable }])),
  ),
];
