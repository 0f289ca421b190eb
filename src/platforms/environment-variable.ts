import { join } from 'node:path'
import type { Environment } from '../model/artifact.ts'

/** The environment variable that points a client to a root. Empty if the root is the default. */
export function variableFor(
  name: string,
  root: string,
  usual: string,
  { home, variables }: Environment,
): Record<string, string> {
  const own = variables[name] || join(home, usual)
  return own === root ? {} : { [name]: root }
}
