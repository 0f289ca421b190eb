import type { DeliveringContext } from '../../context/context.ts'
import type { DeliveryState, DestinationRow } from '../../deliver/delivery/state.ts'
import { ScrollbackError } from '../../errors.ts'
import { shellWord } from '../../model/shell-word.ts'
import { lastParts } from '../../project/words.ts'
import type { Store } from '../../store/store.ts'

/** What a space gets from this machine. */
export interface SpaceSettings {
  /** The name of this machine there. */
  device: string
  /** Whose sessions these are. */
  person: string
  /** Patterns of the names or folders of projects, in which `*` is any text. */
  projects: readonly string[]
}

/** What a destination gets, if it is a space. */
export const settingsOfSpace = ({ space }: Pick<DestinationRow, 'space'>): SpaceSettings | undefined =>
  space === null ? undefined : (JSON.parse(space) as SpaceSettings)

interface Chosen {
  /** The number of the destination. */
  id: number
  settings: SpaceSettings
  /** What was sent before says something else of the machine or the person. */
  isOther: boolean
}

/** How many projects are suggested. */
const MOST_NAMED = 8

/**
 * The settings of a space, which are chosen once, and changed by giving them again. There is no default: what
 * is sent is seen by everybody who may read the space. Throws a `ScrollbackError` that names the flags.
 */
export async function chosenSpace(
  url: string,
  given: { device?: string | undefined; person?: string | undefined; projects?: string | undefined },
  { state, store, context }: { state: DeliveryState; store: Store; context: DeliveringContext },
): Promise<Chosen> {
  const row = state.destination(url)
  const before = row && settingsOfSpace(row)
  const patterns =
    given.projects === undefined ? before?.projects : patternsIn(given.projects, context.environment.home)
  const projects = patterns ?? (await askProjects(url, store, context))
  const person = given.person ?? before?.person ?? (await askPerson(url, context))
  if (given.projects !== undefined) noteUnknown(projects, url, store, context)
  const settings: SpaceSettings = {
    device: given.device ?? before?.device ?? context.machine.device,
    person,
    projects,
  }
  const id = (row ?? state.addDestination(url, 'all', null, context.now)).id
  state.setSpace(id, JSON.stringify(settings))
  const isOther = before !== undefined && (before.device !== settings.device || before.person !== person)
  return { id, settings, isOther }
}

function patternsIn(text: string, home: string): string[] {
  const patterns = text
    .split(',')
    .map((pattern) =>
      pattern
        .trim()
        .replace(/^~(?=[/\\])/, () => home)
        .replace(/(?<=[^/\\])[/\\]+$/, ''),
    )
    .filter((pattern) => pattern !== '')
  if (patterns.length > 0) return patterns
  throw new ScrollbackError(
    'bad-option',
    '--projects: no project is named',
    "Name projects or patterns, separated by commas: --projects 'shop*,api', or all of them: --projects '*'",
  )
}

/** Names patterns that no project here is like: a wrong letter would leave a space empty without a word. */
function noteUnknown(
  patterns: readonly string[],
  url: string,
  store: Store,
  { note }: DeliveringContext,
): void {
  const projects = store
    .projectFacts()
    .map(({ assigned }) => ({ name: assigned?.name, folder: assigned?.path }))
  const isUnknown = (pattern: string): boolean => !projects.some(isWantedIn({ projects: [pattern] }))
  const unknown = patterns.filter((pattern) => pattern !== '*' && isUnknown(pattern))
  if (unknown.length > 0)
    note(`No project here is called ${unknown.join(' or ')} yet, so ${url} gets none of that name.`)
}

/** The projects of the store, those with the most sessions first. */
function projectsIn(store: Store): string[] {
  const counts = new Map<string, number>()
  for (const { project } of store.sessions())
    if (project !== undefined) counts.set(project, (counts.get(project) ?? 0) + 1)
  return [...counts]
    .sort(([one, many], [other, few]) => few - many || (one < other ? -1 : 1))
    .map(([name]) => name)
}

async function askProjects(url: string, store: Store, { choose }: DeliveringContext): Promise<string[]> {
  const projects = projectsIn(store)
  const named = projects.slice(0, MOST_NAMED)
  const options = [
    ...named.map((label) => ({ label })),
    { label: '*', hint: 'every project, and what belongs to none' },
  ]
  const picked = await choose?.(`Whoever may read ${url} sees what it gets. Which project?`, options)
  if (picked !== undefined) return [options[picked]!.label]
  const example = projects[0] ?? 'shop*'
  throw new ScrollbackError(
    'bad-option',
    `${url} is new: which projects should it get? Whoever may read it sees them.`,
    `Add --projects ${shellWord(example)}, several with commas, a pattern such as --projects 'shop*', or all with --projects '*'.${
      named.length > 0
        ? ` Projects here: ${named.join(', ')}${projects.length > named.length ? ', …' : ''}.`
        : ''
    } You are asked only once.`,
  )
}

/** The name of the user of this machine is only an offer, because the space may know somebody by another. */
async function askPerson(url: string, { choose, machine }: DeliveringContext): Promise<string> {
  const options = [
    { label: machine.user, hint: 'the user of this machine' },
    { label: 'another name', hint: 'run the command again with --person <name>' },
  ]
  if ((await choose?.(`By which name should ${url} know you?`, options)) === 0) return machine.user
  throw new ScrollbackError(
    'bad-option',
    `${url} is new: by which name should it know whose sessions these are?`,
    'Add --person <name>. You are asked only once.',
  )
}

/**
 * Whether a space gets a project. A pattern with a separator is about folders, where capitals count, and
 * about names; one without is about names only. Names are whole names, and `*` is any text, also none. A name
 * is the end of the folder, with as many parts as the pattern has: the names in lists change when another
 * project with the same name appears, and what a space gets must not change with them.
 */
export function isWantedIn({ projects }: Pick<SpaceSettings, 'projects'>) {
  const everything = projects.includes('*')
  const isNamed = (pattern: string, name: string | undefined, folder: string | undefined): boolean => {
    const parts = pattern.split(SEPARATOR)
    const own = folder === undefined ? name : lastParts(folder, parts.length)
    return own !== undefined && isLike(own.toLowerCase(), parts.join('/').toLowerCase())
  }
  return ({ name, folder }: { name: string | undefined; folder: string | undefined }): boolean =>
    everything ||
    projects.some(
      (pattern) =>
        isNamed(pattern, name, folder) ||
        (folder !== undefined && SEPARATOR.test(pattern) && isLike(folder, pattern)),
    )
}

const SEPARATOR = /[/\\]/

/** Whether a text is what a pattern says, in one pass: an expression could try each way to part the text. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const first = parts.shift()!
  const last = parts.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
