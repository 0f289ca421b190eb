import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { fileEdits } from '../../collect/read/file-edits.ts'
import { netChanges, type SessionEdit } from '../../collect/read/net-changes.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Session } from '../../model/session.ts'
import { chooseOne } from '../kit/choose-sessions.ts'
import { defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { filters } from '../kit/filters.ts'
import { field } from '../kit/flags.ts'
import { faultOf } from '../kit/read-files.ts'
import { cleaner } from '../kit/read-messages.ts'
import { type LoadedRuns, loadRuns } from '../kit/runs.ts'
import { type ChangesAnswer, output } from './answer.ts'
import { compare } from './compare.ts'
import { changesText } from './text.ts'

/** An answer, and how to print it. */
type Printed = ChangesAnswer & { brief?: boolean }

export const changes = defineCommand({
  name: 'changes',
  summary: 'show what a session changed in files, as one diff: first state against last',
  details:
    'Reads the edits that tools made, those of subagents included, and compares each file before the first with the same file after the ' +
    'last edit. Where the transcript does not contain the whole file, the single edits are shown. Changes by commands are not known.',
  examples: [
    { command: 'scrollback changes 640ab4c7', tells: 'show the diff of a session' },
    { command: 'scrollback changes latest --brief', tells: 'list the files that the last session changed' },
    {
      command: 'scrollback changes 640ab4c7 --file docs/',
      tells: 'show only files whose path contains this',
    },
    { command: "scrollback changes 640ab4c7 --json | jq '.files[].path'", tells: 'for programs' },
  ],
  input: z.object({
    session: field.text({
      description: 'session id or the beginning of one, latest, or <project>:latest',
      positional: true,
    }),
    agent: filters.agent,
    file: field.text({ description: 'only files whose path contains this', placeholder: 'text' }),
    brief: field.flag({ description: 'only list the files' }),
  }),
  output,
  needs: 'messages',
  async run({ session: name, agent, file, brief }, context): Promise<Printed> {
    if (name === undefined)
      throw new ScrollbackError(
        'bad-option',
        'The session is missing.',
        `Use its id or a prefix of it, or the last one: ${context.suggest('changes', 'latest')}`,
      )
    const loaded = loadRuns(context)
    const wanted = { name, ...(agent === undefined ? {} : { agent }) }
    const own = await chooseOne(loaded, wanted, context)
    const subagents = descendants(own, loaded)
    const clean = cleaner(context.redact)
    const edits = [own, ...subagents].flatMap((each) => editsOf(each, loaded, context))
    const files = netChanges(inOrder(edits))
      .map((change) => compare(change, clean))
      .filter(({ path }) => file === undefined || path.includes(file))
    const sum = (count: 'added' | 'removed'): number => files.reduce((total, each) => total + each[count], 0)
    return {
      ...{ version: 1, session: own.id, subagents: subagents.map(({ id }) => id) },
      ...{ added: sum('added'), removed: sum('removed'), files },
      ...(brief ? { brief } : {}),
    }
  },
  isNothing: ({ files }) => files.length === 0,
  *json({ brief: _, ...answer }) {
    yield `${JSON.stringify(answer, null, 2)}\n`
  },
  render: ({ brief, ...answer }, screen) => changesText(answer, brief === true, screen),
})

/** The subagents of a session, and theirs. */
function descendants(parent: Session, { runs, link }: LoadedRuns): Session[] {
  const linked = link(runs)
  const found = new Set<Session>()
  const follow = ({ path }: Session): void => {
    for (const { session, parent: starter } of linked) {
      if (!session || starter?.path !== path || found.has(session)) continue
      found.add(session)
      follow(session)
    }
  }
  follow(parent)
  return [...found]
}

/** The edits of one session, with absolute paths. Empty, with a note, if its file cannot be read. */
function editsOf(session: Session, loaded: LoadedRuns, context: Context): SessionEdit[] {
  const artifact = loaded.artifactOf(session)
  if (!artifact || session.goneMs !== undefined) {
    context.note(`${session.path} is gone. The changes that it made are lost with the file.`, 'partly')
    return []
  }
  const folder = session.cwds[0]?.[0]
  const absolute = (path: string): string =>
    folder === undefined || /^(?:[~/\\]|[a-z]:)/i.test(path) ? path : resolve(folder, path)
  try {
    return fileEdits(artifact).map((edit) => ({ ...edit, path: absolute(edit.path), session: session.id }))
  } catch (error) {
    context.note(`${session.path} ${faultOf(error)}`, 'partly')
    return []
  }
}

/** By time. Edits without one stay after the edit before them. */
function inOrder(edits: readonly SessionEdit[]): SessionEdit[] {
  let last = 0
  return edits
    .map((edit, index) => {
      last = edit.at ?? last
      return { edit, at: last, index }
    })
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ edit }) => edit)
}
