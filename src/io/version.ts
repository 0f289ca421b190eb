import { inPackage } from './process.ts'
import { readSmall } from './source.ts'

const LIMIT = 1024 * 1024

/** The version of this program. */
export const programVersion = (): string =>
  (JSON.parse(readSmall(inPackage('package.json')!, LIMIT)!.toString('utf8')) as { version: string }).version
