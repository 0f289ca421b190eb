import { paint } from '../../../commands/hit-line.ts'
import { commands } from '../../../commands/index.ts'
import { createSource, type Memory, type SessionEntry } from '../../../commands/picker/source.ts'
import type { Context, FreshStore, Indexing } from '../../../context/context.ts'
import { ScrollbackError } from '../../../errors.ts'
import type { Session } from '../../../model/session.ts'
import { type Gate, textOfPiece } from '../../../render/gate.ts'
import { counted } from '../../../render/table.ts'
import { type Screen, shownLine } from '../../../render/terminal.ts'
import { naming } from '../../../selection/session-names.ts'
import type { Host } from '../../host.ts'
import { createServerStore, type IndexProgress } from '../../server-store.ts'
import { toClipboard } from './clipboard.ts'
import type { Drawn } from './draw.ts'
import { inOneRow } from './list.ts'
import { createPageOpener } from './page.ts'
import { type Action, createPicker, type Picker } from './picker.ts'
import { cleanerOf, frame, sizeOf } from './screen.ts'
import { commandText, type Mark } from './text.ts'

/** How the picker ended. */
export interface Left {
  /** The commands that do the same, in the order in which they were used. */
  did: readonly string[]
  /** The session to resume now. */
  resume?: string
}

export interface PickerParts {
  context: Context
  screen: Screen
  gate: Gate
  host: Host
}

/** Shows the other screen of the terminal without its cursor, and the usual one again. */
const ENTER = '\x1b[?1049h\x1b[H\x1b[?25l'
const LEAVE = '\x1b[?25h\x1b[?1049l'

/** What is between them is drawn at once. */
const AT_ONCE = '\x1b[?2026h'
const DRAWN = '\x1b[?2026l'

/** For the reasons of so many files somebody asks at once. */
const MOST_FILES = 5

/** How often new messages are looked for, in ms. */
const LOOK_MS = 5000

/**
 * Shows the sessions of this machine on the whole terminal until a person leaves. Undefined, with nothing
 * drawn, if there are no sessions.
 */
export async function openPicker({
  context: base,
  screen: given,
  gate,
  host,
}: PickerParts): Promise<Left | undefined> {
  const notes: string[] = []
  let onProgress = (_: IndexProgress): void => {}
  const store = createServerStore(base, {
    ...(base.globalFlags?.demo && { now: () => base.now }),
    indexing: (progress) => onProgress(progress),
    // No key waits until the disk was looked at: that is done in between.
    isWatched: () => true,
  })
  const source = createSource(() => store.context(notes))
  const suggest = naming(given.suggest, () => store.context(notes).fresh)
  const screen = { ...given, suggest }
  const stdin = host.stdin.stream()
  // What is typed before anything is drawn is not echoed, and counts.
  stdin.setRawMode(true)
  try {
    const { fresh } = store.context(notes)
    if (!fresh.indexing && source.platforms().length === 0) return undefined
    return await untilLeft()
  } catch (error) {
    host.stdout.stream().write(LEAVE)
    throw error
  } finally {
    stdin.setRawMode(false)
    store.close()
  }

  function untilLeft(): Promise<Left> {
    return new Promise((settle, fail) => {
      const page = createPageOpener(base)
      let drawn: Drawn | undefined
      let due: NodeJS.Immediate | undefined
      const picker: Picker = createPicker(
        source,
        { draw, quit, suspend, copy, act, remembered, tag, size: () => sizeOf(host) },
        screen,
      )
      const clean = cleanerOf(gate)
      const look = { color: screen.color, now: screen.now }
      const release = host.on('SIGCONT', () => {
        drawn?.leave()
        begin().catch(fail)
      })
      let { inventory } = store.context(notes).fresh.found
      const timer = setInterval(() => {
        const found = store.refresh(notes)
        const isChanged = found !== undefined && (found.read > 0 || found.inventory !== inventory)
        inventory = found?.inventory ?? inventory
        if (isChanged || picker.state.listing.total === 0) void picker.refresh()
      }, LOOK_MS)
      onProgress = (progress) => {
        picker.state.progress = 'done' in progress ? '' : progressLine(progress)
        void picker.refresh()
      }
      const { indexing } = store.context(notes).fresh
      if (indexing) picker.state.progress = progressLine(indexing)
      picker.refresh().then(begin).catch(fail)

      function lines(): string[] {
        picker.fit()
        const size = sizeOf(host)
        return frame(picker.state, source, picker.selected(), size, look).map((line) =>
          inOneRow(clean(line), size.columns),
        )
      }

      /** Shows the first rows before Ink is loaded, which takes longer than everything before. */
      async function begin(): Promise<void> {
        host.stdout.stream().write(`${ENTER}${AT_ONCE}${lines().join('\r\n')}${DRAWN}`)
        const { drawLines } = await import('./draw.ts')
        drawn = drawLines({ host, lines, press: picker.press })
      }

      /** Once for all that happens in one turn. */
      function draw(): void {
        clearImmediate(due)
        due = setImmediate(() => drawn?.draw())
      }

      function quit(resume?: string): void {
        clearInterval(timer)
        release()
        onProgress = () => {}
        drawn?.leave()
        drawn = undefined
        page.close()
        settle({ did: picker.state.did, ...(resume !== undefined && { resume }) })
      }

      function suspend(): void {
        drawn?.leave()
        drawn = undefined
        host.raise('SIGTSTP')
      }

      function copy(text: string): void {
        toClipboard(text, base, host)
      }

      function act(action: Action, entry: SessionEntry, mark: Mark | undefined): void {
        perform(action, entry, mark).catch(explain)
      }

      function remembered({ owner, hit: { session: file } }: Memory): void {
        show('memory', { owner, file }, [owner, file]).catch(explain)
      }

      function explain(error: unknown): void {
        if (error instanceof ScrollbackError) picker.say(`${error.message} ${error.wayOut ?? ''}`.trim())
        else fail(error)
      }

      async function perform(
        action: Action,
        { session, hit }: SessionEntry,
        mark: Mark | undefined,
      ): Promise<void> {
        const { id } = session
        if (action === 'resume') {
          noted('resume', [suggest.id(id)])
          quit(id)
        } else if (action === 'handoff') await show('handoff', { session: id }, [suggest.id(id)], session)
        else if (action === 'page') {
          picker.say('Opening the page …')
          const { address, isOpen } = await page.open(id, mark?.line ?? hit?.line)
          noted('serve')
          if (isOpen) picker.say('The page is open as long as this is.')
          else picker.show(commandText('No browser opened: open this address', address, sizeOf(host).columns))
        } else if (action === 'export') {
          const output = await answerOf('export', { target: [id] })
          noted('export', [suggest.id(id)])
          picker.say(output.trim())
        } else {
          const files = mark?.target === undefined ? await lastFilesOf(id) : [mark.target]
          if (files.length === 0) picker.say('This session changed no file.')
          else await why(files, session)
        }
      }

      async function why(files: readonly string[], session: Session): Promise<void> {
        const texts: string[] = []
        for (const file of files) {
          texts.push(`${paint('bold', shownLine(file), screen)}\n\n${await answerOf('why', { file })}`)
          noted('why', [file])
        }
        const title = files.length === 1 ? screen.suggest('why', files) : 'Why its files are as they are'
        picker.show(commandText(title, texts.join('\n'), sizeOf(host).columns, session))
      }

      /** Shows what a command answers. */
      async function show(
        command: string,
        given: Record<string, unknown>,
        words: string[],
        session?: Session,
      ): Promise<void> {
        const text = await answerOf(command, given)
        noted(command, words)
        picker.show(commandText(screen.suggest(command, words), text, sizeOf(host).columns, session))
      }

      function noted(command: string, words: readonly string[] = []): void {
        picker.state.did.push(screen.suggest(command, words))
      }

      async function tag(session: string, words: readonly string[]): Promise<string> {
        const removed = words
          .filter((word) => word.startsWith('-') && word !== '-*')
          .map((word) => word.slice(1))
        const added = words.filter((word) => !/^-|^\*$/.test(word))
        const star = words.includes('*') ? true : words.includes('-*') ? false : undefined
        await answerOf('tag', {
          session,
          tags: added,
          ...(removed.length > 0 && { remove: removed.join(',') }),
          ...(star !== undefined && { star }),
        })
        const own = [suggest.id(session), ...added]
        const without = { flag: '--remove', values: removed.length > 0 ? [removed.join(',')] : [] } as const
        const done =
          star === undefined
            ? suggest('tag', own, without)
            : suggest('tag', own, without, star ? '--star' : '--no-star')
        picker.state.did.push(done)
        return taggedInWords({ added, removed, star })
      }
    })
  }

  /** What a command prints, as it would print it at the terminal. */
  async function answerOf(name: string, given: Record<string, unknown>): Promise<string> {
    const { found, command } = await run(name, given)
    let text = ''
    const { columns } = sizeOf(host)
    for (const piece of command.render(found, { ...screen, columns, terminal: false }))
      text += textOfPiece(piece)
    return gate.output(text)
  }

  async function run(name: string, given: Record<string, unknown>) {
    const command = await commands[name]!()
    const context: Context & { fresh: FreshStore } = {
      ...store.context(notes),
      choose: undefined,
      freeNames: true,
    }
    return { command, found: await command.run(command.input.parse(given), context) }
  }

  /** The files that a session changed last, the last one first. */
  async function lastFilesOf(session: string): Promise<string[]> {
    const { found } = await run('changes', { session, brief: true })
    return (found as { files: { path: string }[] }).files
      .map(({ path }) => path)
      .slice(-MOST_FILES)
      .toReversed()
  }
}

/** `Tagged payments, no longer retry, with a star.` */
function taggedInWords({
  added,
  removed,
  star,
}: {
  added: readonly string[]
  removed: readonly string[]
  star: boolean | undefined
}): string {
  const parts = [
    ...(added.length > 0 ? [`tagged ${added.join(' ')}`] : []),
    ...(removed.length > 0 ? [`no longer tagged ${removed.join(' ')}`] : []),
    ...(star === undefined ? [] : [star ? 'given a star' : 'the star is gone']),
  ].join(', ')
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`
}

function progressLine({ files, bytes, messages }: Pick<Indexing, 'files' | 'bytes' | 'messages'>): string {
  const percent = (done: number, all: number): number => (all === 0 ? 100 : Math.floor((done / all) * 100))
  return messages
    ? `indexing words: ${percent(messages.done, messages.all)} %`
    : `reading ${counted(files.all, 'file')}: ${percent(bytes.done, bytes.all)} %`
}
