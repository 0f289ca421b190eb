import type { Dialog } from '../context/context.ts'
import type { OwnArchive } from '../deliver/archive/own-archives.ts'
import type { Session } from '../model/session.ts'
import { platformOf } from '../platforms/index.ts'

/** How to get a session back that its client has deleted. */
interface WayBack {
  /** The archive that has all of it. */
  archive: string | undefined
  /** The command that writes it where its client looks for it. Undefined if the client takes nothing back. */
  command: string | undefined
  /** Whether that is all of it, and not only its messages. */
  whole: boolean
}

export function wayBack(
  { id, platform, path, bytes, human, agentMessages }: Session,
  archives: readonly (OwnArchive & { found: boolean })[],
  { suggest }: Pick<Dialog, 'suggest'>,
): WayBack {
  const archive = archives.find(({ found, files }) => found && (files.get(path) ?? -1) >= bytes)?.path
  const { restoring } = platformOf(platform)
  const canWrite =
    restoring !== undefined && !('impossible' in restoring && typeof restoring.impossible === 'string')
  if (archive !== undefined && canWrite) return { archive, command: suggest('restore', [id]), whole: true }
  const canCondense = human + agentMessages > 0 && restoring !== undefined && 'condensed' in restoring
  return {
    archive,
    command: canCondense ? suggest('restore', [id], '--condensed') : undefined,
    whole: false,
  }
}

/** The way back of a session whose transcript is gone, as a line. Empty if there is none. */
export function backLine(
  session: Session,
  archives: Parameters<typeof wayBack>[1],
  dialog: Pick<Dialog, 'suggest'>,
): string {
  if (session.goneMs === undefined) return ''
  const { command, whole } = wayBack(session, archives, dialog)
  if (command === undefined) return ''
  return whole
    ? `Write it back from the archive, then resume it: ${command}\n`
    : `No archive of this machine has it. Write back what the store has, then resume that: ${command}\n`
}
