import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

/** Tells what changes below many folders, by the path of each. */
export interface FolderWatch {
  /** From now on these, and no others. */
  setFolders(folders: ReadonlySet<string>): void
  close(): void
}

/**
 * Watches folders one by one: the system then looks after as many things as there are folders, not files. `told` gets the path of what
 * changed, or nothing where the system does not say. A folder that cannot be watched is passed over.
 */
export function watchEach(told: (path?: string) => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  return {
    setFolders(folders) {
      for (const folder of [...watchers.keys()]) if (!folders.has(folder)) drop(folder)
      for (const folder of folders) {
        if (watchers.has(folder)) continue
        try {
          const watcher = watch(folder, { persistent: false }, (_, name) => {
            const path = name === null ? undefined : join(folder, name)
            // A watched folder that was made anew under its name is another one.
            if (path !== undefined && watchers.has(path)) drop(path)
            told(path)
          })
          // A folder that goes away ends its watch; looking around finds out.
          watcher.on('error', () => {
            drop(folder)
            told()
          })
          watchers.set(folder, watcher)
        } catch {
          // Looked at slowly then.
        }
      }
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}
