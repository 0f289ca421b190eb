// Plain JavaScript, because the package ships no sources: keeps compiled code between runs.

/**
 * Caches compiled code in a directory that only this user can write to, and returns that directory. Node would use the system's
 * temporary directory, where any user of the machine can plant bytecode for us to run. Returns undefined, and caches nothing,
 * where no such directory can be had.
 *
 * @returns {string | undefined}
 */
export function enableCompileCache() {
  try {
    const folder = cacheFolder()
    if (!isOursAlone(folder)) return undefined
    const { enableCompileCache } = process.getBuiltinModule('node:module')
    // Node makes a folder of its own in it, with the rights that the mask leaves.
    const mask = process.umask(0o077)
    try {
      enableCompileCache(folder)
    } finally {
      process.umask(mask)
    }
    return folder
  } catch {
    // Without a cache every start takes longer, and nothing else changes.
    return undefined
  }
}

/** In the folder of our files that the user has named, or where each system wants caches. */
function cacheFolder() {
  const { env, platform } = process
  const { join, isAbsolute, resolve } = process.getBuiltinModule('node:path')
  if (env.SCROLLBACK_HOME) return join(resolve(env.SCROLLBACK_HOME), 'compiled')
  const { homedir, userInfo } = process.getBuiltinModule('node:os')
  const home = env.HOME || homedir() || userInfo().homedir
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'scrollback', 'compiled')
  if (platform === 'win32')
    return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'scrollback', 'Cache', 'compiled')
  // The specification tells programs to ignore a relative path, and one would be another user's in the wrong directory.
  const caches = env.XDG_CACHE_HOME
  return join(caches && isAbsolute(caches) ? caches : join(home, '.cache'), 'scrollback', 'compiled')
}

/** Makes a directory and those above it. Where a file system refuses, such as /proc, `recursive` never ends. */
function make(folder) {
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs')
  if (existsSync(folder)) return
  make(process.getBuiltinModule('node:path').dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Makes the directory where it is missing. False for a link, for another user's directory, and for one that others may write to. */
function isOursAlone(folder) {
  const { lstatSync } = process.getBuiltinModule('node:fs')
  const parent = process.getBuiltinModule('node:path').dirname(folder)
  make(parent)
  // Windows protects a user's profile by access lists, and has neither owners nor modes to check.
  const isWindows = process.platform === 'win32'
  const isClosed = (path, others) => {
    const stats = lstatSync(path)
    return stats.isDirectory() && stats.uid === process.getuid() && (stats.mode & others) === 0
  }
  // Whoever may write to the parent could put another directory in the place of this one.
  if (!isWindows && !isClosed(parent, 0o022)) return false
  make(folder)
  return isWindows || isClosed(folder, 0o077)
}
