import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkout } from '../program.ts'

/** The module that registers the invented platform. */
export const REGISTER = pathToFileURL(join(checkout, 'test/third-platform/register.ts')).href

/** The environment in which the program has the invented platform. It then runs the sources. */
export const REGISTERED: Record<string, string> = { NODE_OPTIONS: `--import ${REGISTER}` }
