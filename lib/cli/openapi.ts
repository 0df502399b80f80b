import { openApiDocument } from '../openapi/document.ts';
import { json } from '../report/write.ts';
import { suite } from '../report/suite.ts';
import { checkProfile } from '../engine/declared.ts';
import { readProfile } from '../settings/files.ts';
import type { Profile } from '../schemas/profile.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';

const help = `cts openapi: prints the interface as an OpenAPI 3.1 document, for other tools

Usage: cts openapi [--profile FILE]

It says what the interface says, and no more. Nothing is sent.

  --profile FILE  say also what the operator of a target has declared: statuses,
                  members

Examples:
  cts openapi > openapi.json
  cts openapi --profile staging.json > staging.openapi.json

Exit codes:
  0  it was printed
  2  wrong usage, or a file that is no profile
`;

/** The command `cts openapi`. */
export async function openapi(args: readonly string[]): Promise<void> {
  const { values, help: wantsHelp } = readFlags(args, ['profile']);
  const path = values['profile'];
  process.stdout.write(
    wantsHelp ? help : json(openApiDocument(suite.version, path === undefined ? undefined : profileAt(path))),
  );
}

/** @throws {UsageError} when the file is no profile */
function profileAt(path: string): Profile {
  const read = readProfile(path);
  if ('problem' in read) throw new UsageError(`--profile: ${read.problem}`);
  checkProfile(read);
  return read;
}
