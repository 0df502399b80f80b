import { inject } from 'vitest';
import { openReporterChannel } from '../lib/engine/reporter-channel.ts';
import { secretsOf } from '../lib/settings/route.ts';
import { clipped } from '../lib/target/output/printable.ts';
import { createRedactor } from '../lib/target/output/redactor.ts';
import { loadCustomSuites } from '../lib/engine/custom-suites.ts';
import { catalogue } from './catalogue.ts';
import { suites } from './suites.ts';

// Vitest loads this file first: nothing has been sent yet.
const settings = inject('targetSettings');
const { customSuites } = settings;
const loaded = customSuites ? await loadCustomSuites(customSuites, catalogue) : [];
const problems = loaded.flatMap(({ problem }) => problem ?? []);
if (problems.length > 0) {
  const redactor = createRedactor();
  for (const { text, label } of secretsOf(settings)) redactor.hide(text, label);
  openReporterChannel().post({
    unusable: problems.map((problem) => clipped(redactor.redact(problem), 1000)),
  });
  // The command ends now. No other file may begin to send.
  await new Promise(() => {});
}

suites.custom(loaded);
