import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, serviceThat } from '../selftest/services.ts';

describe('a key that the target sends back', () => {
  it.each([270, 290, 1990])(
    'is not shown in part, where a text is truncated that has it after %i characters',
    async (length) => {
      const service = await serviceThat({ echo: () => `${'x'.repeat(length)}${service.apiKey}` });
      const ended = await ctsInProcess(
        ['--only', 'customer.name.echoed', '--cases', '60'],
        variablesOf(service),
      );
      expect(ended.code).toBe(1);
      expect(ended.bytes).not.toContain(service.apiKey.slice(8, 16));
    },
  );
});
