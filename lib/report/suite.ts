import packageJson from '../../package.json' with { type: 'json' };

/** Name and version of the suite, which its reports contain. */
export const suite = { name: packageJson.name, version: packageJson.version } as const;
