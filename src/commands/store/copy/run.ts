import { type CopyReport, copyLocked } from '../../../collect/copy/copy-store.ts'
import { forgottenTest } from '../../../collect/forgotten.ts'
import { ScrollbackError } from '../../../errors.ts'
import { keepHeapSmall } from '../../../io/process/heap.ts'
import { counted } from '../../../render/table.ts'
import type { Context } from '../../kit/context.ts'
import type { Input } from '../answer.ts'
import type { CopyAnswer } from './answer.ts'
import { type Endpoint, openSource, openTarget } from './endpoints.ts'

/** How many of the files that differ are named. */
const MOST_NAMED = 5

/**
 * Copies one store into another one. Throws a `ScrollbackError` if either cannot be used, and if both do not
 * have the same at the end.
 */
export function runCopy({ target: from, to, device, person, dryRun }: Input, context: Context): CopyAnswer {
  if (from === undefined || to === undefined)
    throw new ScrollbackError(
      'bad-option',
      'store copy: it takes two stores, from which and to which to copy',
      'For example: scrollback store copy ~/backup clickhouse://root@db.example.org/team',
    )
  if (device.length > 1)
    throw new ScrollbackError('bad-option', 'store copy: it takes one --device', 'Name one machine.')
  // Before a connection starts a thread.
  keepHeapSmall()
  const own = device[0] ?? context.machine.device
  const source = openSource(from, context)
  context.atEnd?.(() => source.store.close())
  const target = openTarget(to, own, context)
  context.atEnd?.(() => target.store.close())
  if (source.name === target.name)
    throw new ScrollbackError('bad-option', 'store copy: both stores are the same', 'Name another one.')
  const report = copyLocked(source.store, target.store, {
    ...{ device: own, person, thisDevice: context.machine.device },
    ...{ user: context.machine.user, dryRun },
    ...{ isForgotten: forgottenTest(context.environment), leftOut: target.leftOut },
    ...{ originOf: source.originOf, isLocal: target.isLocal, progress: context.progress },
  })
  if (!report)
    throw new ScrollbackError(
      'unreadable',
      `Another process is writing to ${target.name}.`,
      'Wait until it ends, or stop it.',
    )
  if (report.differing.length > 0) throw differing(report, source, target)
  const { differing: _, ...counts } = report
  if (report.withoutPerson > 0 && !target.isLocal)
    context.note(
      `${counted(report.withoutPerson, 'file')}: it is not known whose, so only administrators of the team store can read them. Name the person with --person.`,
    )
  return { from: source.name, to: target.name, dryRun, ...counts }
}

function differing({ differing: keys, source }: CopyReport, from: Endpoint, to: Endpoint): ScrollbackError {
  const all = source.reduce((sum, { files }) => sum + files, 0)
  const some = keys.slice(0, MOST_NAMED).join(', ')
  const more = keys.length > MOST_NAMED ? `, and ${keys.length - MOST_NAMED} more` : ''
  return new ScrollbackError(
    'unreadable',
    `Of ${counted(all, 'file')} in ${from.name}, ${keys.length} are not the same in ${to.name}: ${some}${more}.`,
    'Run the command again: it copies those files once more. If they still differ, another program changes one of the stores.',
  )
}
