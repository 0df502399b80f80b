import { Command } from 'commander';
import { openApiDocument } from '../openapi/document.ts';
import { suite } from '../settings/package-root.ts';
import { printableJson } from '../target/output/printable.ts';
import { readProfile } from '../settings/files.ts';
import { prefixUsageErrors } from '../settings/usage-error.ts';
import { checkAgainstCatalogue } from './options.ts';

const description = `Prints the interface as an OpenAPI 3.1 document, for other tools. Sends nothing.

The document contains what the interface states and, with a profile, what the
operator of a target has declared.`;

const examples = `
Examples:
  cts-conformance openapi > openapi.json
  cts-conformance openapi --profile staging.json > staging.openapi.json

Exit codes:
  0  printed
  2  wrong usage, or a file that can't be read as a profile`;

export const commandWith = (): Command =>
  new Command('openapi')
    .description(description)
    .option('--profile <FILE>', 'add what this profile declares: statuses, members')
    .addHelpText('after', examples)
    .action(async ({ profile: path }: { readonly profile?: string }) => {
      const profile =
        path === undefined ? undefined : prefixUsageErrors('--profile', () => readProfile(path));
      await checkAgainstCatalogue(profile);
      process.stdout.write(printableJson(openApiDocument(suite.version, profile)));
    });
