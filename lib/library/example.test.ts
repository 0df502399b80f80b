import { afterAll } from 'vitest';
import { startReference } from '../reference/start.ts';

// The example asks the service that the environment names.
const { baseUrl, apiKey, stop } = await startReference();
process.env['TARGET_BASE_URL'] = baseUrl;
process.env['TARGET_API_KEY'] = apiKey;
afterAll(stop);

await import('./example.ts');
