import { afterAll } from 'vitest';
import { startReference } from '../reference/start.ts';

// The example tests the service in the environment.
const { baseUrl, apiKey, stop } = await startReference();
process.env['TARGET_BASE_URL'] = baseUrl;
process.env['TARGET_API_KEY'] = apiKey;
afterAll(stop);

await import('./example.ts');
