import type { EvidenceLine, ExchangeLine } from '../../../schemas/evidence.ts';

/** Exchanges, as the pictures need them. */
export const exchangesIn = (evidence: readonly EvidenceLine[]): ExchangeLine[] =>
  evidence.filter((line): line is ExchangeLine => line.type === 'exchange');

/** The two operations of the interface. */
export const operations = [
  { name: 'Create a customer', path: '/v1/customers' },
  { name: 'Issue a token', path: '/v2/tokens' },
] as const;

/** Whether an exchange is of an operation: of its very method and path. */
export const isOf = ({ request }: ExchangeLine, path: string): boolean =>
  request.method === 'POST' && pathOf(request.url).endsWith(path);

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0]!;
