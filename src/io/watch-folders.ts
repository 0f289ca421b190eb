import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

/** Reports changes below many folders. */
export interface FolderWatch {
  /** Replaces the set of watched folders. */
  setFolders(folders: ReadonlySet<string>): void
  close(): void
}

/**
 * Watches folders one by one, so that the system needs one watch per folder instead of one per file. Calls
 * `onChange` with the changed path, or without one if the system does not name it. Skips folders that cannot
 * be watched.
 */
export function watchFolderSet(onChange: (path?: string) => void): FolderWatch {
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
            // A folder that was recreated under the same name needs a new watch.
            if (path !== undefined && watchers.has(path)) drop(path)
            onChange(path)
          })
          // The watch ends when its folder is removed. The next scan notices that.
          watcher.on('error', () => {
            drop(folder)
            onChange()
          })
          watchers.set(folder, watcher)
        } catch {
          // The regular scan covers this folder.
        }
      }
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}
