import { forgottenKey, memoryName, OWN_MEMORY } from '../../model/artifact.ts'
import type { Known } from '../../store/increment.ts'
import type { Selection, SessionKey, Wanted } from './selection.ts'

/**
 * The memory documents of devices and persons in a team store, with what keeps them from being written
 * again. Sessions and projects have no memory of their own.
 */
export function memoryOf(
  known: Iterable<Known>,
  { devices, persons }: Pick<Wanted, 'devices' | 'persons'>,
): { files: Known[]; sessions: Map<string, SessionKey> } {
  const files: Known[] = []
  const sessions = new Map<string, SessionKey>()
  for (const each of known) {
    const { artifact, device, person } = each
    if (artifact.kind !== 'memory' || device === undefined || person === undefined) continue
    if (!devices.includes(device) && !persons.includes(person)) continue
    files.push(each)
    const session = memoryName(device, person)
    sessions.set(forgottenKey(artifact.platform, session), { platform: artifact.platform, session })
  }
  return { files, sessions }
}

/** The memory documents of the person of this machine, with what keeps them from being read again. */
export function ownMemory(
  known: Iterable<Known>,
  { persons }: Pick<Wanted, 'persons'>,
  user: string,
): Selection {
  const files = [...known].filter(
    ({ artifact, person }) => artifact.kind === 'memory' && persons.includes(person ?? user),
  )
  const sessions = new Map(
    files.map(({ artifact: { platform } }) => [
      forgottenKey(platform, OWN_MEMORY),
      { platform, session: OWN_MEMORY },
    ]),
  )
  return { files, sessions }
}
