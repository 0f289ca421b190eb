import { posix, win32 } from 'node:path'
import { isFile } from './kinds.ts'

/** The extensions of programs, if Windows does not say which it starts. */
const EXTENSIONS = '.COM;.EXE;.BAT;.CMD'

/**
 * The paths at which a program may be found, in the order in which a shell looks for it. `platform` is one of
 * `process.platform`: on Windows, the variable may be called `Path`, and names have an extension.
 */
export function programPaths(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  const isWindows = platform === 'win32'
  const { join, delimiter } = isWindows ? win32 : posix
  const value = (wanted: string): string | undefined =>
    isWindows
      ? Object.entries(variables).find(([key]) => key.toUpperCase() === wanted)?.[1]
      : variables[wanted]
  const extensions = isWindows ? (value('PATHEXT') || EXTENSIONS).split(';') : ['']
  const folders = (value('PATH') ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => extensions.map((extension) => join(folder, `${name}${extension}`)))
}

/** Whether a shell would find the program. */
export const isOnPath = (name: string, variables: Readonly<Record<string, string | undefined>>): boolean =>
  programPaths(name, variables, process.platform).some(isFile)
