/**
 * The id of a platform in `src/platforms/identities.ts`. A store may contain ids that an older version does
 * not know.
 */
export type PlatformId = string
