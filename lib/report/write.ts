import { join } from 'node:path';
import { EVIDENCE, REPORT } from '../settings/files.ts';
import { isDrift } from '../engine/judging/failure-text.ts';
import { batches } from '../engine/evidence/lines.ts';
import type { Lines } from '../engine/evidence/lines.ts';
import type { CaseFile } from '../schemas/case.ts';
import type { Report } from '../schemas/report.ts';
import type { ExtraReport } from '../settings/values.ts';
import { formats } from './formats/formats.ts';
import { SecretFound } from './guard.ts';
import type { Guard } from './guard.ts';
import { WritingFailed, removeReports, writeWhole } from './folder.ts';
import { printableJson, escapedJson } from '../target/output/printable.ts';

/**
 * Writes the reports, after it has removed those of an earlier run.
 * @param evidence the lines of `evidence.ndjson`; undefined if there is none
 * @returns why some of them could not be rendered
 */
export async function writeReports(
  report: Report,
  evidence: Lines | undefined,
  out: string,
  guard: Guard,
  extra: readonly ExtraReport[],
): Promise<string[]> {
  removeReports(out);
  const files: File[] = [
    ...(evidence === undefined ? [] : [[EVIDENCE, () => batches(evidence, escapedJson)] as const]),
    [REPORT, () => [printableJson(report)]],
    ...casesOf(report).map((one): File => [`cases/${one.requirement}.json`, () => [printableJson(one)]]),
  ];
  return writeAll([...files, ...derivedFiles(report, evidence ?? [], out, extra)], out, guard);
}

const casesOf = ({ requirements }: Report): CaseFile[] =>
  requirements.flatMap(({ id, verdict, statement, counterexample }) =>
    counterexample && !isDrift(counterexample)
      ? [{ schemaVersion: 1, requirement: id, verdict, statement, counterexample }]
      : [],
  );

/** A text in parts, as a long one does not fit into memory at once. */
type TextParts = AsyncIterable<string> | readonly string[];

/** A file, and how its text is made. */
type File = readonly [name: string, render: () => TextParts | Promise<TextParts>];

/**
 * The files that can be rendered again from `conformance.json` and the lines of `evidence.ndjson`, if there is one.
 * @param extra those that the run asks for
 */
export const derivedFiles = (
  report: Report,
  evidence: Lines,
  out: string,
  extra: readonly ExtraReport[],
): File[] =>
  formats
    .filter((format) => format.extra === undefined || extra.includes(format.extra))
    .filter(({ isFor }) => isFor?.(report) ?? true)
    .map(({ name, load }): File => [
      name,
      async () => {
        const rendered = (await load())(report, out, evidence);
        return [typeof rendered === 'string' ? rendered : printableJson(rendered)];
      },
    ]);

/**
 * Writes files, also if others can't be rendered, or would contain a secret.
 * @returns why not, for each of these
 * @throws {WritingFailed}
 */
export async function writeAll(files: readonly File[], out: string, guard: Guard): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, render] of files) {
    try {
      await writeWhole(
        join(out, name),
        guarded(await render(), (part) => guard(name, part)),
      );
    } catch (error) {
      if (error instanceof WritingFailed) throw error;
      const { message } = error as Error;
      problems.push(error instanceof SecretFound ? message : `${name} could not be rendered: ${message}`);
    }
  }
  return problems;
}

async function* guarded(parts: TextParts, guard: (part: string) => string): AsyncGenerator<string> {
  for await (const part of parts) yield guard(part);
}
