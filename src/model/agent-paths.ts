import { posix, win32 } from 'node:path'

/** The paths of the system that a session ran on, which need not be this one. */
export const pathsOf = (path: string): typeof posix => (/^(?:[a-z]:|\\\\)/i.test(path) ? win32 : posix)

/** A path that a call states, from the folder that the agent was in. */
export const absolutePath = (path: string, folder: string | undefined): string =>
  folder === undefined || /^(?:[~/\\]|[a-z]:)/i.test(path) ? path : pathsOf(folder).resolve(folder, path)
