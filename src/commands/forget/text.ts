import { isMemoryName } from '../../model/artifact.ts'
import { counted, grouped, homely } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import type { ForgetAnswer } from './answer.ts'
import { countOf } from './shared.ts'

/** Files that are listed by name. */
const MOST = 10

export function* forgetLines(answer: ForgetAnswer, screen: Screen): Generator<string> {
  const { done, sessions } = answer
  const ids = [...new Set(sessions.map(({ id }) => id))]
  const count = countOf(ids)
  if (done === 'listed') {
    if (sessions.length === 0) yield 'Nothing was forgotten here.\n'
    for (const { id, platform, at } of sessions) yield `${id}  ${platform}  ${at!.slice(0, 16)}\n`
    return
  }
  if (done === 'undone') {
    const [first, ...others] = ids
    yield isMemoryName(first!)
      ? `The ${first} is read again.\n`
      : others.length === 0
        ? `${first} is read again, if its transcript still exists.\n`
        : `${first} and ${counted(others.length, 'session')} that it started are read again, if their transcripts still exist.\n`
    return
  }
  if (done === 'nothing') {
    if (sessions.length === 0) {
      yield 'Nothing of this is stored.\n'
      return
    }
    yield `Nothing is stored. ${count} ${sessions.length === 1 ? 'was' : 'were'} forgotten before:\n`
    for (const { id, at } of sessions) yield `  ${id}  ${at!.slice(0, 16)}\n`
    return
  }
  yield done === 'dry-run' ? `Would forget ${count}:\n` : `Forgot ${count}:\n`
  yield* removedLines(answer, screen)
  for (const id of ids) yield `  ${id}\n`
  yield* fileLines(answer, screen)
  if (done === 'dry-run') yield 'Nothing was changed.\n'
  if (answer.check !== null) yield `To check that nothing is left: ${answer.check}\n`
}

function* removedLines({ store, archives }: ForgetAnswer, { home }: Screen): Generator<string> {
  const { files, messages, words } = store
  const ofWords = words === null ? '' : ` and ${counted(words, 'word')}`
  const only =
    messages === null ? '' : `, ${counted(messages, 'message')}${ofWords} that nothing else contains`
  yield `  the store: ${counted(files, 'file')}${only}\n`
  for (const { folder, records, segments } of archives)
    yield `  ${homely(folder, home)}: ${counted(records, 'record')} in ${grouped(segments)} ${segments === 1 ? 'segment' : 'segments'}\n`
}

/** Files of the agent: transcripts and memory. */
function* fileLines({ transcripts }: ForgetAnswer, { home }: Screen): Generator<string> {
  if (transcripts.length === 0) return
  yield 'These files belong to the agent and are still there. Delete them yourself:\n'
  for (const path of transcripts.slice(0, MOST)) yield `  ${homely(path, home)}\n`
  if (transcripts.length > MOST) yield `  and ${grouped(transcripts.length - MOST)} more; --json lists all\n`
}
