import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkout, program } from '../program.ts'

/** The module that registers the invented platform. */
export const REGISTER = pathToFileURL(join(checkout, 'test/third-platform/register.ts')).href

/** Whether the tested program can have it: an installed package has no sources to add a platform to. */
export const canRegister = program.startsWith(join(checkout, 'bin'))

/** The environment in which the program has the invented platform. */
export const REGISTERED: Record<string, string> = canRegister ? { NODE_OPTIONS: `--import ${REGISTER}` } : {}
