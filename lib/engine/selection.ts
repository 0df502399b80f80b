import type { TargetSettings } from '../settings/run-settings.ts';

/** The items of a list of ids, such as `customer.*, http.date`. */
export const globsIn = (list: string): string[] => list.split(',').map((glob) => glob.trim());

/** Whether such a list selects an id; `*` matches any part of it. */
export function matcherOf(list: string): (id: string) => boolean {
  const patterns = globsIn(list).map((glob) =>
    glob.replace(/[^\w*]/g, String.raw`\$&`).replaceAll('*', String.raw`[\w.-]*`),
  );
  const pattern = new RegExp(`^(?:${patterns.join('|')})$`);
  return (id) => pattern.test(id);
}

/** What `--only` selects of some requirements or questions. */
export const selectedOf = <T extends { readonly id: string }>(
  { only = '*' }: Pick<TargetSettings, 'only'>,
  all: readonly T[],
): T[] => {
  const isSelected = matcherOf(only);
  return all.filter(({ id }) => isSelected(id));
};

/** The name of the test of a requirement, or of a question. */
export const testNameOf = (id: string, text: string): string => `${id}: ${text}`;

/** The name of the test that asks all questions. */
export const OPEN_QUESTIONS = 'open questions';
