import manifest from '../package.json' with { type: 'json' };

/** The version of this package, which reports carry. */
export const suiteVersion: string = manifest.version;
