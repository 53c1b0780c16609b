import packageJson from '../../package.json' with { type: 'json' };

/** The version of this package, as `package.json` has it: semantic versioning 2.0.0. */
export const version: string = packageJson.version;

/** The version of the package that contains Google's analyzer. */
export const analyzerVersion: string = packageJson.dependencies['@fivetrandevelopers/zetasql'];
