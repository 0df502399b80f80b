import packageJson from '../../package.json' with { type: 'json' };

/** What made a report. */
export const suite = { name: packageJson.name, version: packageJson.version } as const;
