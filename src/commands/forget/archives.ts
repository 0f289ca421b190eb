import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { countInArchive, forgetInArchive } from '../../collect/archive/forget.ts'
import { isSound, verifyArchive } from '../../collect/archive/verify.ts'
import { ScrollbackError } from '../../errors.ts'
import { LOCK, stateOf } from '../../io/archive/directory-state.ts'
import type { ForgottenSession } from '../../io/forgotten-list.ts'
import { SEGMENT_BYTES } from '../../sinks/file.ts'
import { holdLock } from '../../store/sqlite/lock.ts'
import { shellWord } from '../kit/command-line.ts'
import type { Reports, Storage } from '../kit/context.ts'
import { dropUnpacked } from '../kit/from-archive.ts'
import type { ForgetAnswer } from './answer.ts'
import type { isRemovedFrom } from './selection.ts'

type Removed = ForgetAnswer['archives'][number]
type IsRemoved = ReturnType<typeof isRemovedFrom>

/** Throws a `ScrollbackError` unless each folder is an archive without damage. */
export function checkArchives(folders: readonly string[], { progress }: Reports): void {
  for (const folder of folders) {
    if (!existsSync(folder) || stateOf(folder).type !== 'archive')
      throw new ScrollbackError(
        'bad-option',
        `--archive ${folder}: not an archive`,
        'Give a directory that "scrollback collect" delivered to.',
      )
    progress?.start('Verifying', 0)
    const found = verifyArchive(folder, progress?.advance)
    progress?.stop()
    if (!isSound(found))
      throw new ScrollbackError(
        'unreadable',
        `${folder} is damaged, so it is not known what it contains.`,
        `Repair it first: scrollback collect --repair ${shellWord(folder)}`,
      )
  }
}

/** How many records an archive contains that are to be removed. */
export const countIn = (folder: string, isRemoved: IsRemoved): Removed => ({
  folder,
  ...countInArchive(folder, isRemoved),
})

/** Removes records from an archive, and the copy of it that was unpacked for `--from`. */
export async function removeFrom(
  folder: string,
  isRemoved: IsRemoved,
  forgotten: readonly ForgottenSession[],
  { dataFolder }: Storage,
): Promise<Removed> {
  const lock = holdLock(join(folder, LOCK))
  if (!lock)
    throw new ScrollbackError(
      'unreadable',
      `Another process is writing to ${folder}.`,
      'Wait until it ends or stop it, then run the command again.',
    )
  try {
    dropUnpacked(folder, dataFolder)
    const removed = await forgetInArchive(folder, {
      ...{ sessions: forgotten, isRemoved },
      ...{ segmentBytes: SEGMENT_BYTES, nowMs: Date.now },
    })
    return { folder, ...removed }
  } finally {
    lock.release()
  }
}
