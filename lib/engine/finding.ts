import type { Settings, TargetSettings } from '../settings/settings.ts';
import type { Created, CustomFinding, Result } from '../schemas/report.ts';
import type { Traffic } from '../target/sending.ts';
import type { Written } from './write-lines.ts';
import type { RequirementId } from './catalogue.ts';
import type { Answer } from './question.ts';

/** The result of one requirement. Plain JSON: it is sent as the meta of a Vitest task. */
export type Finding = Result & { readonly id: RequirementId };

export type { Violation } from './violation.ts';

/** What the suites leave with Vitest for the reporter. */
declare module 'vitest' {
  interface TaskMeta {
    finding?: Finding;
    answer?: Answer;
    own?: CustomFinding;
    traffic?: Traffic;
    created?: Created;
    /** Where the lines of the evidence are that the suites have written. */
    evidence?: Written;
    /** How many secrets the suites have told the reporter of. */
    secrets?: number;
  }
  interface ProvidedContext {
    /** What the command line has settled; absent under plain `vitest run`. */
    settings?: Settings;
    /** The settings with a target, for the suites and the reporter. */
    target: TargetSettings;
  }
}
