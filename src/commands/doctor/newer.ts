import type { Context } from '../../context/context.ts'
import { shortName } from '../../model/hidden.ts'
import { identities } from '../../platforms/identities.ts'
import { counted } from '../../render/table.ts'
import type { StoredSession } from '../../store/stored.ts'
import { total } from './diagnose.ts'
import { byNumbers } from './drift.ts'

/**
 * What clients wrote that are newer than any that was tried, if records of an unknown type are among it: a
 * sentence for each client. A newer version alone is no reason to worry.
 */
export const newerWarnings = (
  sessions: readonly StoredSession[],
  { suggest }: Pick<Context, 'suggest'>,
): string[] =>
  identities.flatMap(({ id, name, tried, defaultAgent, manyAgents }) => {
    if (tried === undefined) return []
    const newer = sessions.filter(
      ({ session: { platform, agent, version, accounting } }) =>
        platform === id &&
        // Programs that are the client under another name have versions of their own.
        (manyAgents || agent === defaultAgent) &&
        version !== undefined &&
        byNumbers(version, tried) > 0 &&
        total(accounting.unknown) > 0,
    )
    const records = newer.reduce((sum, { session }) => sum + total(session.accounting.unknown), 0)
    const newest = newer
      .map(({ session }) => session.version!)
      .sort(byNumbers)
      .at(-1)
    if (newest === undefined) return []
    return [
      `${name} ${shortName(newest)} wrote ${counted(records, 'record')} of an unknown type; tried up to ${tried}. What they are: ${suggest('doctor', '--drift')}`,
    ]
  })
