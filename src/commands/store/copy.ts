import type { Context } from '../../context/context.ts'
import { copyLocked } from '../../deliver/copy-store.ts'
import { ScrollbackError } from '../../errors.ts'
import { keepHeapSmall } from '../../io/process.ts'
import { counted } from '../../render/table.ts'
import { forgottenTest } from '../../sync/forgotten.ts'
import type { CopyAnswer, Input } from './answer.ts'
import { differing, isTeamStore, named, openSource, openTarget } from './copy-source.ts'
import { sendAll } from './copy-to-space.ts'

/**
 * Copies one store into another one. Throws a `ScrollbackError` if either cannot be used, and if both do not
 * have the same at the end.
 */
export function runCopy({ target: from, to, device, person, dryRun }: Input, context: Context): CopyAnswer {
  if (from === undefined || to === undefined)
    throw new ScrollbackError(
      'bad-option',
      'store copy takes two stores: the source and the target',
      'For example: scrollback store copy ~/backup clickhouse://root@db.example.org/team',
    )
  if (device.length > 1)
    throw new ScrollbackError('bad-option', 'store copy: it takes one --device', 'Name one machine.')
  // Before a connection starts a thread.
  keepHeapSmall()
  const own = device[0] ?? context.machine.device
  const source = openSource(from, context)
  context.atEnd?.(() => source.store.close())
  if (isTeamStore(to)) return sendAll(source, to, { own, person, dryRun }, context)
  const target = openTarget(to, context)
  context.atEnd?.(() => target.store.close())
  if (source.name === target.name)
    throw new ScrollbackError('bad-option', 'store copy: both stores are the same', 'Name another one.')
  const { thisDevice, isForgotten } = {
    thisDevice: context.machine.device,
    isForgotten: forgottenTest(context.environment),
  }
  const report = copyLocked(source.store, target.store, {
    device: own,
    person,
    thisDevice,
    dryRun,
    isForgotten,
    originOf: source.originOf,
    progress: context.progress,
  })
  if (!report)
    throw new ScrollbackError(
      'unreadable',
      `Another process is writing to ${target.name}.`,
      'Wait until it ends, or stop it.',
    )
  if (report.differing.length > 0) throw differing(report, source, target)
  const { differing: _, unreadable, ...counts } = report
  if (unreadable.length > 0)
    context.note(
      `Not copied, because rows of ${source.name} are malformed: ${counted(unreadable.length, 'file')}: ${named(unreadable)}.`,
      'partly',
    )
  return { from: source.name, to: target.name, dryRun, ...counts, unreadable: unreadable.length }
}
